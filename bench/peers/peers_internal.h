/* What is in files of Python, as the program has them within. */

#ifndef BENCH_PEERS_PEERS_INTERNAL_H
#define BENCH_PEERS_PEERS_INTERNAL_H

extern const char peers_python[]; /* peers.py */

/* <algorithm>.py, and npp.py, which two of them import. */
extern const char peers_of_npp[], peers_of_lbp[], peers_of_lbp_riu[], peers_of_lacunarity[],
    peers_of_haar[], peers_of_adaboost[], peers_of_fast9[], peers_of_hashsift[], peers_of_bad[],
    peers_of_orb[], peers_of_matching[], peers_of_integral[], peers_of_copy[];

#endif
