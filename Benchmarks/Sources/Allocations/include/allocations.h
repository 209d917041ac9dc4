#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H
#include <stdint.h>

/* Returns the number of allocations of this program so far. */
uint64_t allocation_count(void);

#endif
