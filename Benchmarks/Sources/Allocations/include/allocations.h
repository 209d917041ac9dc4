#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H
#include <stdint.h>

/* How many times this program has asked for memory so far. */
uint64_t allocation_count(void);

#endif
