#include "limit.h"

static inline int64_t local_of(const struct limit_bucket *table, int64_t base, int64_t t)
{
    const struct limit_bucket *b = &table[(t - base) >> 22];
    return t + (t >= b->split ? b->after : b->before);
}

static inline int64_t instant_of(const struct limit_bucket *table, int64_t base, int64_t local)
{
    const struct limit_bucket *b = &table[(local - base) >> 22];
    int32_t larger = b->before > b->after ? b->before : b->after;
    return local - (local >= b->split + larger ? b->after : b->before);
}

int64_t limit_daily(const struct limit_bucket *table, int64_t base, int64_t time, int64_t after)
{
    int64_t local = local_of(table, base, after);
    int64_t next = (int64_t)((uint64_t)local / 86400) * 86400 + time;
    return instant_of(table, base, next + (next <= local ? 86400 : 0));
}

/* Computes year and month of a day as Neri and Schneider do, then the last Friday of the month. */
int64_t limit_last_friday(const struct limit_bucket *table, int64_t base, int64_t time,
                          int64_t after)
{
    int64_t local = local_of(table, base, after);
    uint32_t day = (uint32_t)((uint64_t)local / 86400);
    uint32_t n1 = 4 * (day + 719468) + 3;
    uint32_t century = n1 / 146097;
    uint32_t n2 = n1 % 146097 | 3;
    uint64_t p2 = (uint64_t)2939745 * n2;
    uint32_t day_of_year = (uint32_t)p2 / 2939745 / 4;
    uint32_t n3 = 2141 * day_of_year + 197913;
    uint32_t month = n3 >> 16;
    uint32_t first = day - (n3 & 0xffff) / 2141;
    uint32_t year = 100 * century + (uint32_t)(p2 >> 32) + (day_of_year >= 306);
    for (;;) {
        uint32_t m = month > 12 ? month - 12 : month;
        uint32_t leap = (year & (year % 100 ? 3 : 15)) == 0;
        uint32_t end = first + (m == 2 ? 28 + leap : 30 | (m ^ m >> 3)) - 1;
        /* Day 0 was a Thursday; Friday is (day + 6) % 7 == 0. */
        int64_t next = (int64_t)(end - (end + 6) % 7) * 86400 + time;
        if (next > local)
            return instant_of(table, base, next);
        first = end + 1;
        year += m == 12;
        month = m == 12 ? 1 : m + 1;
    }
}

int64_t limit_elapsed(int64_t start, int64_t step, int64_t after)
{
    return start + ((after - start) / step + 1) * step;
}
