#define _GNU_SOURCE
#include "filter.h"
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The verdict for all calls without a rule: the kernel kills the process. */
#define FORBIDDEN SECCOMP_RET_KILL_PROCESS
/* The verdict for the calls with which libraries search for locales and terminals. The call fails, and the library
   continues after the error. */
#define REFUSED (SECCOMP_RET_ERRNO | EACCES)

static int few_calls(void) {
  struct filter filter;
  filter_begin(&filter);
  static const long allowed[] = {
      SYS_read, SYS_write, SYS_writev, SYS_close, SYS_lseek, SYS_fstat, SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise,
      SYS_futex, SYS_getrandom, SYS_getpid, SYS_gettid, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn,
      SYS_sigaltstack, SYS_restart_syscall, SYS_exit, SYS_exit_group,
      /* Most machines read the clock without a system call. A machine whose clock source is acpi_pm or hpet needs a
         system call. */
      SYS_clock_gettime, SYS_gettimeofday,
#ifdef SYS_time
      SYS_time,
#endif
  };
  for (unsigned i = 0; i < sizeof allowed / sizeof allowed[0]; i++)
    filter_call(&filter, allowed[i], SECCOMP_RET_ALLOW);
  /* The function abort() sends a signal to its own process. Signals to other processes are forbidden. */
  filter_allow_if_equal(&filter, SYS_tgkill, 0, (uint64_t)getpid(), FORBIDDEN);
  /* A process may map memory that is not executable. */
  filter_allow_without_bits(&filter, SYS_mmap, 2, PROT_EXEC, FORBIDDEN);
  filter_allow_without_bits(&filter, SYS_mprotect, 2, PROT_EXEC, FORBIDDEN);
  static const long refused[] = {
      SYS_openat, SYS_newfstatat, SYS_ioctl, SYS_prlimit64, SYS_sysinfo, SYS_readlinkat,
      /* The AV1 decoder asks for the number of processors. If this call fails, the decoder uses one processor and
         starts no thread. */
      SYS_sched_getaffinity,
#ifdef SYS_open
      SYS_open, SYS_readlink,
#endif
  };
  for (unsigned i = 0; i < sizeof refused / sizeof refused[0]; i++) filter_call(&filter, refused[i], REFUSED);
  return filter_install(&filter, FORBIDDEN);
}

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

static int limit(int resource, rlim_t value) {
  struct rlimit bound = {value, value};
  return setrlimit(resource, &bound) == 0 ? 0 : errno;
}

int prompter_sandbox_enter(unsigned long long address_space_bytes, unsigned int cpu_seconds) {
  /* If standard output is a regular file, a user started the program in a shell. The daemon uses a socket. */
  struct stat out;
  int to_file = fstat(STDOUT_FILENO, &out) == 0 && S_ISREG(out.st_mode);
  int error = limit(RLIMIT_CORE, 0);
  if (!error) error = limit(RLIMIT_FSIZE, to_file ? 16 << 20 : 0);
  if (!error) error = limit(RLIMIT_NOFILE, 8);
  if (!error) error = limit(RLIMIT_NPROC, 0);
  if (!error) error = limit(RLIMIT_CPU, cpu_seconds);
#ifdef SANITIZED
  /* A build with sanitizers maps terabytes of memory and reads /proc, so it runs without these limits. Use such a
     build only to search for bugs, and never for untrusted files. */
  (void)address_space_bytes;
  (void)few_calls;
  return error;
#else
  if (!error) error = limit(RLIMIT_AS, address_space_bytes);
  return error ? error : few_calls();
#endif
}

void prompter_close_from(unsigned int first) { closefrom((int)first); }
