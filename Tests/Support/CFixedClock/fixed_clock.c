#define _GNU_SOURCE
#include "include/fixed_clock.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
  const char *fixed = clock == CLOCK_REALTIME ? getenv("FIXED_CLOCK") : NULL;
  if (fixed == NULL) return (int)syscall(SYS_clock_gettime, clock, time);
  time->tv_sec = atoll(fixed);
  time->tv_nsec = 0;
  return 0;
}
