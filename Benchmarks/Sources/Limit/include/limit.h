#ifndef LIMIT_H
#define LIMIT_H
#include <stdint.h>

/* One bucket of 2^22 s: the offset changes at `split`, all in seconds. */
struct limit_bucket {
    int64_t split;
    int32_t before, after;
};

/* "Daily at `time`", "last Friday at `time`" and "every `step` seconds from `start`", written by
 * hand for these rules only: a lower bound of the time, with a table of offsets and day arithmetic. */
int64_t limit_daily(const struct limit_bucket *table, int64_t base, int64_t time, int64_t after);
int64_t limit_last_friday(const struct limit_bucket *table, int64_t base, int64_t time,
                          int64_t after);
int64_t limit_elapsed(int64_t start, int64_t step, int64_t after);

#endif
