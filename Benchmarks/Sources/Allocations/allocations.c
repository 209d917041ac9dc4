#define _GNU_SOURCE
#include "allocations.h"
#include <errno.h>
#include <stddef.h>

/* Replaces malloc of glibc: counts each call and passes it on. Only for benchmarks. */
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static uint64_t count;

uint64_t allocation_count(void)
{
    return __atomic_load_n(&count, __ATOMIC_RELAXED);
}

static void add(void)
{
    __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
}

void *malloc(size_t size)
{
    add();
    return __libc_malloc(size);
}

void *calloc(size_t items, size_t size)
{
    add();
    return __libc_calloc(items, size);
}

void *realloc(void *old, size_t size)
{
    add();
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size)
{
    add();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size)
{
    *result = memalign(alignment, size);
    return *result ? 0 : ENOMEM;
}
