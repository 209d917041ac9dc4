#define _GNU_SOURCE
#include "calsa_shim.h"
#include <alsa/asoundlib.h>
#include <stdarg.h>
#include <stdio.h>
#include <signal.h>
#include <sys/prctl.h>
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

int prompter_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }

int prompter_close_from(unsigned int first) {
  closefrom((int)first);
  return 0;
}
