#ifndef PROMPTER_CALSA_SHIM_H
#define PROMPTER_CALSA_SHIM_H
typedef void (*prompter_alsa_log)(int error, const char *function, const char *message);
/* Sends alsa-lib's error messages to `log`, or nowhere if `log` is NULL. alsa-lib's own error handler is variadic, so
   Swift cannot define it. */
int prompter_alsa_set_log(prompter_alsa_log log);
/* Asks for real-time priority, which the service unit must allow (LimitRTPRIO), so that a busy machine does not
   interrupt a ring. A thread that was due ran 90 ms late without it and 0.1 ms late with it (measured). The kernel
   kills a thread that computes for a second without a pause, so that it does not block other threads. Returns 0, or
   the error number of the refusal. */
int prompter_hurry(void);
#endif
