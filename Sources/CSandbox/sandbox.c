#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#define OUR_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCH AUDIT_ARCH_AARCH64
#else
#error "the decoder's sandbox knows no system call numbers for this architecture"
#endif

/* An allow-list: a system call that nobody thought of is a crime, not a chance. */
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(verdict) BPF_STMT(BPF_RET | BPF_K, (verdict))
#define ALLOW(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1), RETURN(SECCOMP_RET_ALLOW)
/* Libraries look for locales and ask terminals; "no" is an answer that they can live with. */
#define REFUSE(call) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1), RETURN(SECCOMP_RET_ERRNO | EACCES)
/* Memory may be had, executable memory may not: args[2] is the protection. Little-endian low word. */
#define ALLOW_WITHOUT_EXECUTE(call)                                        \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 4), LOAD(args[2]),   \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),               \
      RETURN(SECCOMP_RET_KILL_PROCESS), RETURN(SECCOMP_RET_ALLOW)

static struct sock_filter rules[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 1, 0),
    RETURN(SECCOMP_RET_KILL_PROCESS),
    LOAD(nr), /* x32's numbers are none of ours, so they fall through to the end. */
    ALLOW(read),
    ALLOW(write),
    ALLOW(writev),
    ALLOW(close),
    ALLOW(lseek),
    ALLOW(fstat),
    ALLOW(brk),
    ALLOW(munmap),
    ALLOW(mremap),
    ALLOW(madvise),
    ALLOW(futex),
    ALLOW(getrandom),
    /* Answered without the kernel on most machines, but not where it keeps time by acpi_pm or hpet. */
    ALLOW(clock_gettime),
    ALLOW(gettimeofday),
#ifdef __NR_time
    ALLOW(time),
#endif
    ALLOW(getpid),
    ALLOW(gettid),
    ALLOW(rt_sigaction),
    ALLOW(rt_sigprocmask),
    ALLOW(rt_sigreturn),
    ALLOW(sigaltstack),
    ALLOW(tgkill), /* abort() */
    ALLOW(restart_syscall),
    ALLOW(exit),
    ALLOW(exit_group),
    ALLOW_WITHOUT_EXECUTE(mmap),
    LOAD(nr),
    ALLOW_WITHOUT_EXECUTE(mprotect),
    LOAD(nr),
    REFUSE(openat),
#ifdef __NR_open
    REFUSE(open),
#endif
    REFUSE(newfstatat),
    REFUSE(ioctl),
    REFUSE(prlimit64),
    REFUSE(sysinfo),
#ifdef __NR_readlink
    REFUSE(readlink),
#endif
    REFUSE(readlinkat),
    RETURN(SECCOMP_RET_KILL_PROCESS),
};

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
  /* A regular file as standard output is somebody's shell; the daemon gives us a socket. */
  struct stat out;
  int to_file = fstat(STDOUT_FILENO, &out) == 0 && S_ISREG(out.st_mode);
  int error = limit(RLIMIT_CORE, 0);
  if (!error) error = limit(RLIMIT_FSIZE, to_file ? 16 << 20 : 0);
  if (!error) error = limit(RLIMIT_NOFILE, 8);
  if (!error) error = limit(RLIMIT_NPROC, 0);
  if (!error) error = limit(RLIMIT_CPU, cpu_seconds);
#ifdef SANITIZED
  /* Sanitizers map terabytes and read /proc: such a build is for finding races, not for strangers' files. */
  (void)address_space_bytes;
  (void)rules;
  return error;
#else
  if (!error) error = limit(RLIMIT_AS, address_space_bytes);
  if (error) return error;
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  struct sock_fprog program = {sizeof rules / sizeof rules[0], rules};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0 ? 0 : errno;
#endif
}

void prompter_close_from(unsigned int first) { closefrom((int)first); }

static int outcome(long result) { return result >= 0 ? 0 : errno; }

int prompter_sandbox_try(const char *what) {
  if (!strcmp(what, "socket")) return outcome(socket(AF_INET, SOCK_STREAM, 0));
  if (!strcmp(what, "open")) return outcome(open("/etc/hostname", O_RDONLY));
  if (!strcmp(what, "exec")) return outcome(execl("/bin/true", "true", (char *)0));
  if (!strcmp(what, "fork")) return outcome(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
  if (!strcmp(what, "kill")) return outcome(kill(getppid(), 0));
  if (!strcmp(what, "code")) {
    void *code = mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return code == MAP_FAILED ? errno : 0;
  }
  if (!strcmp(what, "clock")) {
    struct {
      long seconds, parts;
    } now;
    long said = syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
    if (said >= 0) said = syscall(SYS_gettimeofday, &now, (void *)0);
#ifdef SYS_time
    if (said >= 0) said = syscall(SYS_time, (void *)0);
#endif
    return outcome(said);
  }
  if (!strcmp(what, "memory")) return malloc((size_t)1 << 30) ? 0 : ENOMEM;
  if (!strcmp(what, "time"))
    for (volatile unsigned long turns = 0;; turns++) {}
  return EINVAL;
}
