#ifndef PROMPTER_CALSA_SHIM_H
#define PROMPTER_CALSA_SHIM_H
typedef void (*prompter_alsa_log)(int error, const char *function, const char *message);
/* Routes alsa-lib's variadic error handler, which Swift cannot express, to `log`; NULL silences it. */
int prompter_alsa_set_log(prompter_alsa_log log);
#endif
