/* What is in files of Python, as the program has them within. */

#ifndef BENCH_PEERS_PEERS_INTERNAL_H
#define BENCH_PEERS_PEERS_INTERNAL_H

extern const char peers_python[]; /* peers.py */

/* <algorithm>.py. */
extern const char peers_of_integral[], peers_of_copy[];

#endif
