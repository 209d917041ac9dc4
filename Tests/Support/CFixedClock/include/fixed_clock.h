// A library to load before a program (LD_PRELOAD), so that the wall clock of the program stands still.
//
// The environment variable FIXED_CLOCK contains the time, in seconds since 1970. All other clocks stay as they are.
#ifndef FIXED_CLOCK_H
#define FIXED_CLOCK_H
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *time);

#endif
