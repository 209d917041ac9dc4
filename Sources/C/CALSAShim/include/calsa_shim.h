#ifndef PROMPTER_CALSA_SHIM_H
#define PROMPTER_CALSA_SHIM_H
typedef void (*prompter_alsa_log)(int error, const char *function, const char *message);
/* Routes alsa-lib's variadic error handler, which Swift cannot express, to `log`; NULL silences it. */
int prompter_alsa_set_log(prompter_alsa_log log);
/* Real-time priority where the service unit allows it (LimitRTPRIO), so that a busy machine does not tear a ring: a
   thread that is due was measured 90 ms late without and 0.1 ms with it. One that computes for a second without a
   pause is killed by the kernel rather than left to starve others. Returns 0, or the error number of the refusal. */
int prompter_hurry(void);
#endif
