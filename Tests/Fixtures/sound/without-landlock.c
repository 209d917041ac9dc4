/* Runs a program without Landlock: a system call filter, like those of systemd, refuses landlock_create_ruleset with an
   error number. Usage: without-landlock ERRNO PROGRAM ARGUMENT... */
#include <errno.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "filter.h"

int main(int count, char **words) {
  if (count < 3) return 2;
  struct filter filter;
  filter_begin(&filter);
  filter_call(&filter, SYS_landlock_create_ruleset, SECCOMP_RET_ERRNO | (unsigned)atoi(words[1]));
  int error = filter_install(&filter, SECCOMP_RET_ALLOW);
  if (!error) {
    execv(words[2], words + 2);
    error = errno;
  }
  fprintf(stderr, "cannot run %s: %s\n", words[2], strerror(error));
  return 1;
}
