#ifndef PROMPTER_CALSA_SHIM_H
#define PROMPTER_CALSA_SHIM_H
typedef void (*prompter_alsa_log)(int error, const char *function, const char *message);
/* Routes alsa-lib's variadic error handler, which Swift cannot express, to `log`; NULL silences it. */
int prompter_alsa_set_log(prompter_alsa_log log);
/* SIGKILL for us when the thread that started us ends (prctl is variadic, so Swift cannot say it). */
int prompter_die_with_parent(void);
/* Closes every descriptor from `first` up that an untidy parent left open. */
int prompter_close_from(unsigned int first);
/* Real-time priority where the service unit allows it (LimitRTPRIO), so that a busy machine does not tear a ring: a
   thread that is due was measured 90 ms late without and 0.1 ms with it. One that computes for a second without a
   pause is killed by the kernel rather than left to starve others. Returns 0, or the error number of the refusal. */
int prompter_hurry(void);
#endif
