#define _GNU_SOURCE
#include "filter.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#if defined(__x86_64__)
#define OUR_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCH AUDIT_ARCH_AARCH64
#else
#error "cannot build the sandbox: it supports only x86-64 and ARM64"
#endif

static void add(struct filter *filter, unsigned short code, unsigned char yes, unsigned char no, uint32_t k) {
  /* The function also counts a rule that does not fit into the list. From this count, filter_install recognises a list
     that is too long, and refuses it. */
  if (filter->count < sizeof filter->rules / sizeof filter->rules[0])
    filter->rules[filter->count] = (struct sock_filter){code, yes, no, k};
  filter->count++;
}

static void load(struct filter *filter, size_t offset) {
  add(filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset);
}

static size_t argument_offset(unsigned argument) {
  return offsetof(struct seccomp_data, args) + argument * sizeof(uint64_t);
}

static void equal(struct filter *filter, uint32_t value, unsigned char yes, unsigned char no) {
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, yes, no, value);
}

static void verdict(struct filter *filter, uint32_t verdict) { add(filter, BPF_RET | BPF_K, 0, 0, verdict); }

void filter_begin(struct filter *filter) {
  filter->count = 0;
  load(filter, offsetof(struct seccomp_data, arch));
  equal(filter, OUR_ARCH, 1, 0);
  verdict(filter, SECCOMP_RET_KILL_PROCESS);
  /* No rule contains a call number of the x32 interface, so a call with such a number gets the verdict of
     filter_install. */
  load(filter, offsetof(struct seccomp_data, nr));
}

void filter_call(struct filter *filter, long call, uint32_t given) {
  equal(filter, (uint32_t)call, 0, 1);
  verdict(filter, given);
}

void filter_allow_if_equal(struct filter *filter, long call, unsigned argument, uint64_t value, uint32_t otherwise) {
  equal(filter, (uint32_t)call, 0, 6);
  load(filter, argument_offset(argument));
  equal(filter, (uint32_t)value, 0, 3);
  load(filter, argument_offset(argument) + sizeof(uint32_t));
  equal(filter, (uint32_t)(value >> 32), 0, 1);
  verdict(filter, SECCOMP_RET_ALLOW);
  verdict(filter, otherwise);
}

void filter_allow_if_among(struct filter *filter, long call, unsigned argument, const uint32_t *values,
                           unsigned count, uint32_t otherwise) {
  equal(filter, (uint32_t)call, 0, (unsigned char)(count + 3));
  load(filter, argument_offset(argument));
  for (unsigned i = 0; i < count; i++) equal(filter, values[i], (unsigned char)(count - i), 0);
  verdict(filter, otherwise);
  verdict(filter, SECCOMP_RET_ALLOW);
}

void filter_allow_if_masked(struct filter *filter, long call, unsigned argument, uint32_t bits, uint32_t value,
                            uint32_t otherwise) {
  equal(filter, (uint32_t)call, 0, 5);
  load(filter, argument_offset(argument));
  add(filter, BPF_ALU | BPF_AND | BPF_K, 0, 0, bits);
  equal(filter, value, 1, 0);
  verdict(filter, otherwise);
  verdict(filter, SECCOMP_RET_ALLOW);
}

void filter_allow_without_bits(struct filter *filter, long call, unsigned argument, uint32_t bits,
                               uint32_t otherwise) {
  equal(filter, (uint32_t)call, 0, 4);
  load(filter, argument_offset(argument));
  add(filter, BPF_JMP | BPF_JSET | BPF_K, 0, 1, bits);
  verdict(filter, otherwise);
  verdict(filter, SECCOMP_RET_ALLOW);
}

void filter_map_code_of_files(struct filter *filter, long call, uint32_t otherwise) {
  equal(filter, (uint32_t)call, 0, 6);
  load(filter, argument_offset(2));
  add(filter, BPF_JMP | BPF_JSET | BPF_K, 0, 3, PROT_EXEC);
  load(filter, argument_offset(3));
  add(filter, BPF_JMP | BPF_JSET | BPF_K, 0, 1, MAP_ANONYMOUS);
  verdict(filter, otherwise);
  verdict(filter, SECCOMP_RET_ALLOW);
}

int filter_install(struct filter *filter, uint32_t otherwise) {
  verdict(filter, otherwise);
  if (filter->count > sizeof filter->rules / sizeof filter->rules[0]) return E2BIG;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  struct sock_fprog program = {(unsigned short)filter->count, filter->rules};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0 ? 0 : errno;
}
