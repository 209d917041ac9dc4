/* LD_PRELOAD: writes time stamps to the named pipe $STAMP_PIPE, in nanoseconds of CLOCK_MONOTONIC: "frames" when ALSA
   accepted the first frames after an open, "silent" when a drop returned. The same code measures prompter-sound and
   aplay. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef long (*writer)(void *, const void *, unsigned long);
static int is_fresh = 1;

static void stamp(const char *what) {
  struct timespec now;
  char line[64];
  const char *path = getenv("STAMP_PIPE");
  clock_gettime(CLOCK_MONOTONIC, &now);
  int length = snprintf(line, sizeof line, "%s %lld\n", what, now.tv_sec * 1000000000LL + now.tv_nsec);
  /* Opened each time, because prompter-sound closes inherited descriptors. */
  int pipe = path ? open(path, O_WRONLY | O_CLOEXEC) : -1;
  if (pipe < 0 || write(pipe, line, length) != length) _exit(99);
  close(pipe);
}

int snd_pcm_open(void **pcm, const char *name, int stream, int mode) {
  int (*real)(void **, const char *, int, int) = dlsym(RTLD_NEXT, "snd_pcm_open");
  is_fresh = 1;
  return real(pcm, name, stream, mode);
}

long snd_pcm_writei(void *pcm, const void *frames, unsigned long count) {
  writer real = (writer)dlsym(RTLD_NEXT, "snd_pcm_writei");
  long taken = real(pcm, frames, count);
  if (taken > 0 && is_fresh) stamp("frames");
  if (taken > 0) is_fresh = 0;
  return taken;
}

int snd_pcm_drop(void *pcm) {
  int (*real)(void *) = dlsym(RTLD_NEXT, "snd_pcm_drop");
  int code = real(pcm);
  stamp("silent");
  return code;
}
