#define _GNU_SOURCE
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* Actions that an attacker would try after taking over a program in a sandbox. In a sandbox, only the actions of an
   ordinary decoder may succeed. If an action needs another process, it uses the parent process. The action then sends a
   signal that does nothing, or sets a value that changes nothing. */

/* The process ids. The program reads the ids before it enters a sandbox, because a sandbox can forbid the calls. */
static pid_t parent, own;
__attribute__((constructor)) static void remember_parent(void) {
  parent = getppid();
  own = getpid();
}

static int outcome(long result) { return result >= 0 ? 0 : errno; }

static long signal_parent(const char *how) {
  siginfo_t info = {.si_signo = SIGCHLD, .si_code = SI_QUEUE};
  if (!strcmp(how, "kill")) return kill(parent, 0);
  if (!strcmp(how, "kill-all")) return kill(-1, 0);
  if (!strcmp(how, "tkill")) return syscall(SYS_tkill, parent, 0);
  if (!strcmp(how, "tgkill")) return syscall(SYS_tgkill, parent, parent, 0);
  if (!strcmp(how, "tgkill-high"))
    return syscall(SYS_tgkill, (int64_t)own | ((int64_t)1 << 32), gettid(), 0);
  if (!strcmp(how, "sigqueue")) return syscall(SYS_rt_sigqueueinfo, parent, 0, &info);
  if (!strcmp(how, "tgsigqueue")) return syscall(SYS_rt_tgsigqueueinfo, parent, parent, 0, &info);
  if (!strcmp(how, "pidfd")) return syscall(SYS_pidfd_open, parent, 0);
  if (!strcmp(how, "owner")) return fcntl(STDIN_FILENO, F_SETOWN, parent);
  return -2;
}

static long touch_parent(const char *how) {
  char byte = 0;
  struct iovec here = {&byte, 1}, there = {&byte, 1};
  struct rlimit limit = {64, 64};
  struct sched_param parameters = {0};
  cpu_set_t processors;
  memset(&processors, 0xff, sizeof processors);
  if (!strcmp(how, "prlimit")) return syscall(SYS_prlimit64, parent, RLIMIT_NOFILE, 0, &limit);
  if (!strcmp(how, "read-memory")) return process_vm_readv(parent, &here, 1, &there, 1, 0);
  if (!strcmp(how, "write-memory")) return process_vm_writev(parent, &here, 1, &there, 1, 0);
  if (!strcmp(how, "ptrace")) return ptrace(PTRACE_SEIZE, parent, 0, 0);
  if (!strcmp(how, "priority")) return setpriority(PRIO_PROCESS, (id_t)parent, 19);
  if (!strcmp(how, "scheduler")) return sched_setscheduler(parent, SCHED_IDLE, &parameters);
  if (!strcmp(how, "affinity")) return sched_setaffinity(parent, sizeof processors, &processors);
  if (!strcmp(how, "compare")) return syscall(SYS_kcmp, parent, own, 0, 0, 0);
  if (!strcmp(how, "group")) return setpgid(0, parent);
  return -2;
}

static long grow(const char *how) {
  if (!strcmp(how, "fork")) return syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
  if (!strcmp(how, "fork3")) {
    uint64_t arguments[11] = {0};
    arguments[4] = SIGCHLD;
    return syscall(SYS_clone3, arguments, sizeof arguments);
  }
  if (!strcmp(how, "thread")) return syscall(SYS_clone, CLONE_THREAD | CLONE_SIGHAND | CLONE_VM, 0, 0, 0, 0);
  if (!strcmp(how, "namespace")) return unshare(CLONE_NEWUSER);
  if (!strcmp(how, "exec")) return execl("/bin/true", "true", (char *)0);
  if (!strcmp(how, "execveat")) return syscall(SYS_execveat, AT_FDCWD, "/bin/true", 0, 0, 0);
  if (!strcmp(how, "memfd")) return memfd_create("code", 0);
  if (!strcmp(how, "bpf")) return syscall(SYS_bpf, 0, 0, 0);
  if (!strcmp(how, "io-uring")) return syscall(SYS_io_uring_setup, 1, 0);
  if (!strcmp(how, "perf")) return syscall(SYS_perf_event_open, 0, 0, -1, -1, 0);
  if (!strcmp(how, "userfaultfd")) return syscall(SYS_userfaultfd, 0);
  if (!strcmp(how, "keys")) return syscall(SYS_keyctl, 0, 0, 0, 0, 0);
  return -2;
}

static long reach(const char *how) {
  if (!strcmp(how, "socket")) return socket(AF_INET, SOCK_STREAM, 0);
  if (!strcmp(how, "unix-socket")) return socket(AF_UNIX, SOCK_STREAM, 0);
  if (!strcmp(how, "open")) return open("/etc/hostname", O_RDONLY);
  if (!strcmp(how, "open-proc")) return open("/proc/self/environ", O_RDONLY);
  if (!strcmp(how, "write-file")) return open("/tmp", O_WRONLY | O_TMPFILE, 0600);
  if (!strcmp(how, "make-file")) return open("/tmp/prompter-attempt", O_RDONLY | O_CREAT, 0600);
  if (!strcmp(how, "make-directory")) return mkdirat(AT_FDCWD, "/tmp/prompter-attempt", 0700);
  if (!strcmp(how, "link")) return linkat(AT_FDCWD, "/etc/hostname", AT_FDCWD, "/tmp/prompter-attempt", 0);
  if (!strcmp(how, "unlink")) return unlinkat(AT_FDCWD, "/tmp/prompter-attempt-that-is-not", 0);
  if (!strcmp(how, "mode")) return fchmodat(AT_FDCWD, "/tmp/prompter-attempt-that-is-not", 0600, 0);
  if (!strcmp(how, "ioctl")) {
    int count;
    return syscall(SYS_ioctl, STDIN_FILENO, 0x541B /* FIONREAD */, &count);
  }
  return -2;
}

static int make_code(const char *how) {
  if (!strcmp(how, "code")) {
    void *code = mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return code == MAP_FAILED ? errno : 0;
  }
  if (!strcmp(how, "code-later")) {
    void *code = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return outcome(mprotect(code, 4096, PROT_READ | PROT_EXEC));
  }
  return -2;
}

static int ask_time(void) {
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

int prompter_sandbox_try(const char *what) {
  long (*const attempts[])(const char *) = {signal_parent, touch_parent, grow, reach};
  for (unsigned i = 0; i < sizeof attempts / sizeof attempts[0]; i++) {
    long result = attempts[i](what);
    if (result != -2) return outcome(result);
  }
  int made = make_code(what);
  if (made != -2) return made;
  /* The sandbox allows some of these actions. A limit of the sandbox stops the remaining actions. */
  if (!strcmp(what, "clock")) return ask_time();
  if (!strcmp(what, "signal-self")) return outcome(syscall(SYS_tgkill, getpid(), gettid(), 0));
  if (!strcmp(what, "abort")) abort();
  if (!strcmp(what, "memory")) return malloc((size_t)1 << 30) ? 0 : ENOMEM;
  if (!strcmp(what, "time"))
    for (volatile unsigned long turns = 0;; turns++) {}
  return EINVAL;
}
