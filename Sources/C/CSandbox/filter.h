#ifndef PROMPTER_FILTER_H
#define PROMPTER_FILTER_H
#include <linux/filter.h>
#include <stdint.h>

/* Builds a list of the system calls that a process may still make (seccomp). A call without a rule gets the verdict of
   filter_install. If a rule compares an argument, the filter reads the low word of the argument at the lower address,
   because both supported architectures are little-endian. */
struct filter {
  unsigned count;
  struct sock_filter rules[400];
};

/* Starts a list. If the process makes a system call of another architecture, the kernel kills the process. */
void filter_begin(struct filter *filter);
/* Adds a rule: a call, with any arguments, gets this verdict (SECCOMP_RET_…). */
void filter_call(struct filter *filter, long call, uint32_t verdict);
/* Allows a call if all 64 bits of this argument equal this value; else the call gets the verdict `otherwise`. */
void filter_allow_if_equal(struct filter *filter, long call, unsigned argument, uint64_t value, uint32_t otherwise);
/* Allows a call if the low word of this argument is one of `values`; else the call gets the verdict `otherwise`. */
void filter_allow_if_among(struct filter *filter, long call, unsigned argument, const uint32_t *values,
                           unsigned count, uint32_t otherwise);
/* Allows a call if the low word of this argument has this value in these bits; else the call gets the verdict
   `otherwise`. */
void filter_allow_if_masked(struct filter *filter, long call, unsigned argument, uint32_t bits, uint32_t value,
                            uint32_t otherwise);
/* Allows a call if the low word of this argument has none of these bits; else the call gets the verdict `otherwise`. */
void filter_allow_without_bits(struct filter *filter, long call, unsigned argument, uint32_t bits,
                               uint32_t otherwise);
/* Allows mmap. The memory may be executable only if it is mapped from a file; else the call gets the verdict
   `otherwise`. */
void filter_map_code_of_files(struct filter *filter, long call, uint32_t otherwise);
/* Adds the verdict for all other calls, and activates the list for this process and for the programs that it executes.
   Returns 0 or an error number. */
int filter_install(struct filter *filter, uint32_t otherwise);
#endif
