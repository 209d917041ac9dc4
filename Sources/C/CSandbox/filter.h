#ifndef PROMPTER_FILTER_H
#define PROMPTER_FILTER_H
#include <linux/filter.h>
#include <stdint.h>

/* Builds a list of system calls that a process may still make (seccomp). A call that no rule names gets the last
   verdict. Comparisons of arguments read the low word first: both architectures are little-endian. */
struct filter {
  unsigned count;
  struct sock_filter rules[400];
};

/* Starts a list: any other architecture than ours ends the process. */
void filter_begin(struct filter *filter);
/* Gives a verdict (SECCOMP_RET_…) to a call, whatever its arguments. */
void filter_call(struct filter *filter, long call, uint32_t verdict);
/* Allows a call if this argument has this value in all its 64 bits, and gives the verdict otherwise. */
void filter_allow_if_equal(struct filter *filter, long call, unsigned argument, uint64_t value, uint32_t otherwise);
/* Allows a call if the low word of this argument is one of these, and gives the verdict otherwise. */
void filter_allow_if_among(struct filter *filter, long call, unsigned argument, const uint32_t *values,
                           unsigned count, uint32_t otherwise);
/* Allows a call if the low word of this argument has this value in these bits, and gives the verdict otherwise. */
void filter_allow_if_masked(struct filter *filter, long call, unsigned argument, uint32_t bits, uint32_t value,
                            uint32_t otherwise);
/* Allows a call unless the low word of this argument has one of these bits. */
void filter_allow_without_bits(struct filter *filter, long call, unsigned argument, uint32_t bits,
                               uint32_t otherwise);
/* Allows to map memory (mmap), executable only if it is a file's. */
void filter_map_code_of_files(struct filter *filter, long call, uint32_t otherwise);
/* Ends the list with the verdict of all other calls, and puts it in force for this process and all that it becomes.
   Returns 0 or an error number. */
int filter_install(struct filter *filter, uint32_t otherwise);
#endif
