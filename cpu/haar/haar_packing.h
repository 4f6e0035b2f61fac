/*
 * Packing of records as a number, so that an answer can be read without the set it is of: it stands
 * in OutputPart.format of the part "records".
 */
#ifndef CPU_HAAR_PACKING_H
#define CPU_HAAR_PACKING_H

#include "haar.h"

uint32_t haar_packing_format(const HaarPacking *packing);
HaarPacking haar_packing_of_format(uint32_t format);

#endif
