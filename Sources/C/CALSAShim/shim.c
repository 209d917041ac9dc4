#define _GNU_SOURCE
#include "calsa_shim.h"
#include <alsa/asoundlib.h>
#include <stdarg.h>
#include <stdio.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static prompter_alsa_log target;

static void forward(const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file;
  (void)line;
  if (!target) return;
  char message[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  target(error, function, message);
}

int prompter_alsa_set_log(prompter_alsa_log log) {
  target = log;
  return snd_lib_error_set_handler(forward);
}

int prompter_hurry(void) {
  struct rlimit second = {1000000, 1000000};
  if (setrlimit(RLIMIT_RTTIME, &second) != 0) return errno;
  struct sched_param priority = {.sched_priority = 5};
  return sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &priority) == 0 ? 0 : errno;
}
