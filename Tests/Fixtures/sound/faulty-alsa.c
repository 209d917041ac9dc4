/* LD_PRELOAD: simulates a driver that fails or hangs. The ALSA call $FAULT_CALL fails or hangs ($FAULT_KIND) after its
   first $FAULT_AFTER calls, but only for a device whose name contains `faulty`, and for the mixer of a card with this
   name. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *faulty;
static int is_opening_faulty;
/* A mixer is opened without a name, so it counts as the mixer of the device that was opened last. */
static int was_faulty_opened_last;
static int is_mixer_faulty;
static long calls;

static long strike(const char *call) {
  const char *wanted = getenv("FAULT_CALL"), *after = getenv("FAULT_AFTER"), *kind = getenv("FAULT_KIND");
  if (!wanted || strcmp(wanted, call)) return 0;
  if (++calls <= (after ? atol(after) : 0)) return 0;
  if (kind && !strcmp(kind, "hang"))
    for (;;) pause();
  return -EIO;
}

/* Returns 0 to call the real function, or the error to return. */
static long fault(const char *call, const void *pcm) {
  return is_opening_faulty || (pcm && pcm == faulty) ? strike(call) : 0;
}

static long mixer_fault(const char *call) { return is_mixer_faulty ? strike(call) : 0; }

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int snd_pcm_open(void **pcm, const char *name, int stream, int mode) {
  is_opening_faulty = strstr(name, "faulty") != 0;
  was_faulty_opened_last = is_opening_faulty;
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
FAULTY(int, snd_pcm_start, "start", (void *pcm), (pcm))
FAULTY(int, snd_pcm_prepare, "prepare", (void *pcm), (pcm))
FAULTY(long, snd_pcm_readi, "readi", (void *pcm, void *f, unsigned long n), (pcm, f, n))

int snd_mixer_open(void **mixer, int mode) {
  is_mixer_faulty = was_faulty_opened_last;
  long error = mixer_fault("mixer_open");
  return error ? (int)error : REAL(snd_mixer_open)(mixer, mode);
}

int snd_mixer_attach(void *mixer, const char *name) {
  is_mixer_faulty = strstr(name, "faulty") != 0;
  long error = mixer_fault("mixer_attach");
  return error ? (int)error : REAL(snd_mixer_attach)(mixer, name);
}

#define FAULTY_MIXER(name, call, parameters, arguments)     \
  int name parameters {                                     \
    long error = mixer_fault(call);                         \
    return error ? (int)error : REAL(name) arguments;       \
  }

FAULTY_MIXER(snd_mixer_selem_register, "mixer_register", (void *m, void *o, void **c), (m, o, c))
FAULTY_MIXER(snd_mixer_load, "mixer_load", (void *m), (m))
FAULTY_MIXER(snd_mixer_selem_get_playback_volume_range, "mixer_range", (void *e, long *low, long *high), (e, low, high))
FAULTY_MIXER(snd_mixer_selem_get_playback_volume, "mixer_get_volume", (void *e, int c, long *v), (e, c, v))
FAULTY_MIXER(snd_mixer_selem_get_playback_switch, "mixer_get_switch", (void *e, int c, int *v), (e, c, v))
FAULTY_MIXER(snd_mixer_selem_set_playback_volume_all, "mixer_set_all", (void *e, long v), (e, v))
FAULTY_MIXER(snd_mixer_selem_set_playback_switch_all, "mixer_unmute", (void *e, int v), (e, v))
FAULTY_MIXER(snd_mixer_selem_set_playback_volume, "mixer_set_volume", (void *e, int c, long v), (e, c, v))
FAULTY_MIXER(snd_mixer_selem_set_playback_switch, "mixer_set_switch", (void *e, int c, int v), (e, c, v))
FAULTY_MIXER(snd_mixer_handle_events, "mixer_events", (void *m), (m))
FAULTY_MIXER(snd_mixer_close, "mixer_close", (void *m), (m))
