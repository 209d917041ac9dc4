#ifndef PROMPTER_CALSA_SHIM_H
#define PROMPTER_CALSA_SHIM_H
typedef void (*prompter_alsa_log)(int error, const char *function, const char *message);
/* Routes alsa-lib's variadic error handler, which Swift cannot express, to `log`; NULL silences it. */
int prompter_alsa_set_log(prompter_alsa_log log);
/* SIGKILL for us when the thread that started us ends (prctl is variadic, so Swift cannot say it). */
int prompter_die_with_parent(void);
/* Closes every descriptor from `first` up that an untidy parent left open. */
int prompter_close_from(unsigned int first);
#endif
