#ifndef PROMPTER_CALSA_SHIM_H
#define PROMPTER_CALSA_SHIM_H
typedef void (*prompter_alsa_log)(int error, const char *function, const char *message);
/* Sends the error messages of alsa-lib to `log`, or discards them if `log` is NULL. Swift cannot define the error
   handler itself, because the handler is variadic. */
int prompter_alsa_set_log(prompter_alsa_log log);
/* Requests real-time priority for the calling thread, so that a busy machine does not interrupt a ring. The service
   unit must allow the priority (LimitRTPRIO). In a measurement, a due thread ran 90 ms late without the priority, and
   0.1 ms late with the priority. If a thread computes for one second without a pause, the kernel kills the thread, so
   that it does not block other threads. Returns 0, or the error number of the refusal. */
int prompter_hurry(void);
#endif
