/* The supervisor of one command.

   A command can start processes and end before these processes. Such a process gets a new parent. If the process called
   setsid, it has also left the process group of the command, so a signal to this group does not reach the process. The
   supervisor is a child subreaper (prctl(2), PR_SET_CHILD_SUBREAPER): it becomes the parent of each process that the
   command leaves behind, and kills these processes when the command ends or the time of the command is over.

   The supervisor is a separate process, because the daemon has other children. The supervisor executes the same program
   as its parent (/proc/self/exe). In the supervisor, the constructor below runs before the main function, and ends the
   process. The rejected alternative is a fork of the daemon without exec. Such a fork would keep a copy of the daemon's
   memory for minutes. */
#define _GNU_SOURCE
#include "CSupervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char argument[] = "--supervise-command";

/* The supervisor writes the errno of a failed exec to this descriptor. */
static const int report = 3;

/* The maximum time in seconds for which the supervisor waits for the end of the killed processes. A process in an
   uninterruptible call does not end at once. */
static const double cleanup_seconds = 5;

const char *prompter_supervisor_argument(void) { return argument; }

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Executes the command. The kernel does not execute a file that another process has open for writing (ETXTBSY). A
   process that was just forked can keep a new file open for a moment. */
static void execute(char **command, char **environment) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  setpgid(0, 0);
  for (int attempt = 0; attempt < 100; attempt++) {
    execve(command[0], command, environment);
    if (errno != ETXTBSY) break;
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
  }
  int code = errno;
  ssize_t written = write(report, &code, sizeof code);
  (void)written;
  _exit(127);
}

/* Kills each child of this process. */
static void kill_children(void) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
  FILE *file = fopen(path, "re");
  if (!file) return;
  int pid;
  while (fscanf(file, "%d", &pid) == 1) kill(pid, SIGKILL);
  fclose(file);
}

/* Kills and reaps all descendants. The children of a killed process become children of this process. */
static void end_descendants(void) {
  double deadline = now() + cleanup_seconds;
  while (now() < deadline) {
    kill_children();
    pid_t ended;
    while ((ended = waitpid(-1, NULL, WNOHANG)) > 0) {
    }
    if (ended < 0 && errno == ECHILD) return;
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  }
}

/* Waits until the command ends, the time of the command is over, or the parent sends SIGTERM. Returns the status of the
   command. */
static int await_command(pid_t command, double seconds, const sigset_t *signals) {
  double deadline = now() + seconds;
  int status = 0;
  for (;;) {
    if (waitpid(command, &status, WNOHANG) == command) return status;
    double rest = deadline - now();
    if (rest <= 0) break;
    struct timespec pause = {.tv_sec = (time_t)rest, .tv_nsec = (long)((rest - (double)(time_t)rest) * 1e9)};
    if (sigtimedwait(signals, NULL, &pause) == SIGTERM) break;
  }
  kill(-command, SIGKILL);
  while (waitpid(command, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

/* Ends this process with the status of the command, so that the parent reads the same status from waitpid. */
static void end_with(int status) {
  if (WIFEXITED(status)) _exit(WEXITSTATUS(status));
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  sigset_t all;
  sigemptyset(&all);
  sigprocmask(SIG_SETMASK, &all, NULL);
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  _exit(126);
}

__attribute__((constructor)) static void supervise(int count, char **arguments, char **environment) {
  if (count < 4 || strcmp(arguments[1], argument) != 0) return;
  fcntl(report, F_SETFD, FD_CLOEXEC);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGCHLD);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, NULL);
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  pid_t command = fork();
  if (command == 0) execute(arguments + 3, environment);
  if (command < 0) {
    int code = errno;
    ssize_t written = write(report, &code, sizeof code);
    (void)written;
    _exit(127);
  }
  setpgid(command, command);
  int status = await_command(command, atof(arguments[2]), &signals);
  end_descendants();
  end_with(status);
}
