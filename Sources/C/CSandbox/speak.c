#define _GNU_SOURCE
#include "filter.h"
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <dirent.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The verdict for calls without a rule. The call fails, but the process continues. The speech program loads about
   thirty libraries, and each library tries various calls when it is loaded. */
#define REFUSED (SECCOMP_RET_ERRNO | EPERM)
/* The verdict for calls that must look as if the kernel did not know them. A library uses an older call instead only if
   the error is ENOSYS. */
#define ABSENT (SECCOMP_RET_ERRNO | ENOSYS)
/* The flags that the filter refuses when the program opens a file. Therefore the program can only read files, even if
   the kernel does not support Landlock. O_TMPFILE contains the flag O_DIRECTORY, and the filter allows O_DIRECTORY. */
#define WRITING (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY))

#define THREAD (CLONE_THREAD | CLONE_VM | CLONE_SIGHAND)
#define OTHER_THAN_THREAD                                                                                          \
  (CLONE_VFORK | CLONE_PARENT | CLONE_PTRACE | CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |       \
   CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)
/* The maximum number of threads that the speech program may start. espeak-ng starts one thread. */
#define MORE_THREADS 8

/* This code repeats the constants of linux/landlock.h, because the installed headers can be older than the kernel. */
#define FS_EXECUTE (1ULL << 0)
#define FS_READ_FILE (1ULL << 2)
#define FS_READ_DIR (1ULL << 3)
struct landlock_rights {
  uint64_t files, net, scoped;
};
struct landlock_place {
  uint64_t rights;
  int32_t parent;
} __attribute__((packed));
enum { PATH_BENEATH = 1, GET_VERSION = 1 };

static int limit(int resource, rlim_t value) {
  struct rlimit bound = {value, value};
  return setrlimit(resource, &bound) == 0 ? 0 : errno;
}

static int allow_reading(int ruleset, const char *path) {
  int place = open(path, O_PATH | O_CLOEXEC);
  if (place < 0) return errno == ENOENT ? 0 : errno;
  struct stat status;
  int error = fstat(place, &status) == 0 ? 0 : errno;
  struct landlock_place rule = {FS_EXECUTE | FS_READ_FILE, place};
  if (!error && S_ISDIR(status.st_mode)) rule.rights |= FS_READ_DIR;
  if (!error && syscall(SYS_landlock_add_rule, ruleset, PATH_BENEATH, &rule, 0) != 0) error = errno;
  close(place);
  return error;
}

/* Restricts this process to reading and executing programs, libraries and voices. If the kernel does not support
   Landlock, the function also returns 0. Without Landlock, only the system call filter limits the program. */
static int read_only(const char *program) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, GET_VERSION);
  if (version < 0) return errno == ENOSYS || errno == EOPNOTSUPP || errno == EPERM ? 0 : errno;
  static const unsigned files[] = {13, 13, 14, 15, 15, 16};
  unsigned known = version > 5 ? 16 : files[version];
  struct landlock_rights rights = {(1ULL << known) - 1, 3, 3};
  size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rights, size, 0);
  if (ruleset < 0) return errno;
  const char *places[] = {"/usr", "/lib", "/lib64", "/etc/ld.so.cache", program};
  int error = 0;
  for (unsigned i = 0; !error && i < sizeof places / sizeof places[0]; i++)
    error = allow_reading(ruleset, places[i]);
  if (!error && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) error = errno;
  if (!error && syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) error = errno;
  close(ruleset);
  return error;
}

static int few_calls(const char *program) {
  struct filter filter;
  filter_begin(&filter);
  static const long allowed[] = {
      SYS_read, SYS_pread64, SYS_readv, SYS_write, SYS_writev, SYS_close, SYS_lseek, SYS_fstat, SYS_newfstatat,
      SYS_statx, SYS_faccessat, SYS_readlinkat, SYS_getdents64, SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise,
      SYS_futex, SYS_getrandom, SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_getpid, SYS_getppid,
      SYS_gettid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_rt_sigaction, SYS_rt_sigprocmask,
      SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall, SYS_exit, SYS_exit_group, SYS_set_tid_address,
      SYS_set_robust_list, SYS_uname, SYS_getcwd, SYS_umask, SYS_sched_yield,
#ifdef SYS_rseq
      SYS_rseq,
#endif
#ifdef SYS_arch_prctl
      SYS_arch_prctl,
#endif
#ifdef SYS_access
      SYS_access, SYS_readlink, SYS_stat, SYS_lstat, SYS_time, SYS_poll,
#endif
      SYS_ppoll,
  };
  for (unsigned i = 0; i < sizeof allowed / sizeof allowed[0]; i++)
    filter_call(&filter, allowed[i], SECCOMP_RET_ALLOW);
  filter_allow_without_bits(&filter, SYS_openat, 2, WRITING, REFUSED);
#ifdef SYS_open
  filter_allow_without_bits(&filter, SYS_open, 1, WRITING, REFUSED);
#endif
  static const uint32_t descriptors[] = {F_GETFD, F_SETFD, F_GETFL, F_DUPFD, F_DUPFD_CLOEXEC};
  filter_allow_if_among(&filter, SYS_fcntl, 1, descriptors, 5, REFUSED);
  /* The program maps libraries from files that it cannot write. Other memory is never executable. */
  filter_allow_without_bits(&filter, SYS_mprotect, 2, PROT_EXEC, REFUSED);
  filter_map_code_of_files(&filter, SYS_mmap, REFUSED);
  /* The program may use this call for its own limits. The program cannot raise its limits. */
  filter_allow_if_equal(&filter, SYS_prlimit64, 0, 0, REFUSED);
  /* The function abort() sends a signal to its own process. */
  filter_allow_if_equal(&filter, SYS_tgkill, 0, (uint64_t)getpid(), REFUSED);
  /* The filter compares the address of the program's name, so this process can execute only this program. After the
     exec, this address no longer contains a name. */
  filter_allow_if_equal(&filter, SYS_execve, 0, (uint64_t)(uintptr_t)program, REFUSED);
  /* espeak-ng starts a thread that it does not use. If espeak-ng cannot start the thread, espeak-ng ends. The filter
     forbids new processes and namespaces. */
  filter_allow_if_masked(&filter, SYS_clone, 0, THREAD | OTHER_THAN_THREAD, THREAD, REFUSED);
#ifdef SYS_clone3
  filter_call(&filter, SYS_clone3, ABSENT);
#endif
  return filter_install(&filter, REFUSED);
}

/* Returns the number of threads of this user, or 0 if the number is unknown. RLIMIT_NPROC limits the number of threads
   of a user. */
static unsigned long threads_of_user(void) {
  DIR *processes = opendir("/proc");
  if (!processes) return 0;
  unsigned long threads = 0;
  for (struct dirent *entry; (entry = readdir(processes));) {
    char path[sizeof "/proc//status" + sizeof entry->d_name], line[256];
    if (entry->d_name[0] < '0' || entry->d_name[0] > '9') continue;
    snprintf(path, sizeof path, "/proc/%s/status", entry->d_name);
    FILE *status = fopen(path, "re");
    if (!status) continue;
    unsigned user = 0;
    unsigned long count = 0;
    while (fgets(line, sizeof line, status)) {
      sscanf(line, "Uid: %u", &user);
      if (sscanf(line, "Threads: %lu", &count) == 1 && user == getuid()) threads += count;
    }
    fclose(status);
  }
  closedir(processes);
  return threads;
}

int prompter_sandbox_speak(const char *program, char *const arguments[], char *const environment[],
                           unsigned long long address_space_bytes, unsigned int cpu_seconds) {
  int error = limit(RLIMIT_CORE, 0);
  if (!error) error = limit(RLIMIT_FSIZE, 0);
  if (!error) error = limit(RLIMIT_NOFILE, 32);
  unsigned long threads = threads_of_user();
  struct rlimit most;
  if (!error && threads && getrlimit(RLIMIT_NPROC, &most) == 0 && threads + MORE_THREADS < most.rlim_max)
    error = limit(RLIMIT_NPROC, threads + MORE_THREADS);
  if (!error) error = limit(RLIMIT_CPU, cpu_seconds);
  if (!error) error = limit(RLIMIT_AS, address_space_bytes);
  if (!error) error = read_only(program);
  if (!error) error = few_calls(program);
  if (error) return error;
  execve(program, arguments, environment);
  return errno;
}
