/* LD_PRELOAD: one ALSA call, named by $FAULT_CALL, fails or hangs ($FAULT_KIND) from its $FAULT_AFTER'th time on, but
   only for a device opened under the name `faulty`. A driver that is broken, or stuck, at that point. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *faulty;
static int is_opening_faulty;
static long calls;

/* 0 to go on, or the error to return. */
static long fault(const char *call, const void *pcm) {
  const char *wanted = getenv("FAULT_CALL"), *after = getenv("FAULT_AFTER"), *kind = getenv("FAULT_KIND");
  if (!wanted || strcmp(wanted, call) || !(is_opening_faulty || (pcm && pcm == faulty))) return 0;
  if (++calls <= (after ? atol(after) : 0)) return 0;
  if (kind && !strcmp(kind, "hang"))
    for (;;) pause();
  return -EIO;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int snd_pcm_open(void **pcm, const char *name, int stream, int mode) {
  is_opening_faulty = strstr(name, "faulty") != 0;
  long error = fault("open", 0);
  int code = error ? (int)error : REAL(snd_pcm_open)(pcm, name, stream, mode);
  if (is_opening_faulty && code >= 0) faulty = *pcm;
  if (!is_opening_faulty && code >= 0 && *pcm == faulty) faulty = 0;
  is_opening_faulty = 0;
  return code;
}

#define FAULTY(type, name, call, parameters, arguments)     \
  type name parameters {                                    \
    long error = fault(call, pcm);                          \
    return error ? (type)error : REAL(name) arguments;      \
  }

FAULTY(int, snd_pcm_hw_params, "hw_params", (void *pcm, void *p), (pcm, p))
FAULTY(int, snd_pcm_sw_params, "sw_params", (void *pcm, void *p), (pcm, p))
FAULTY(long, snd_pcm_writei, "writei", (void *pcm, const void *f, unsigned long n), (pcm, f, n))
FAULTY(int, snd_pcm_state, "state", (void *pcm), (pcm))
FAULTY(int, snd_pcm_delay, "delay", (void *pcm, long *d), (pcm, d))
FAULTY(int, snd_pcm_drop, "drop", (void *pcm), (pcm))
FAULTY(int, snd_pcm_close, "close", (void *pcm), (pcm))
