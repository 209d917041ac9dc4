#ifndef PROMPTER_SANDBOX_H
#define PROMPTER_SANDBOX_H
/* Gives up, for good, everything that decoding an upload does not need: no new files, sockets, programs,
   processes or executable memory; little processor time and memory. Whatever breaks this ends the process with
   SIGSYS. Call with one thread. Returns 0, or the error number of the step that failed: then do not decode. */
int prompter_sandbox_enter(unsigned long long address_space_bytes, unsigned int cpu_seconds);
/* Closes every descriptor from `first` up that an untidy parent left open. */
void prompter_close_from(unsigned int first);
/* Becomes a program that speaks, for good: it reads programs, libraries and voices and writes nothing but what it has
   open; no sockets, processes, threads or signals to others; its own memory and processor time. Returns the error number
   of the step that failed: then nothing may be spoken. Call with one thread. */
int prompter_sandbox_speak(const char *program, char *const arguments[], char *const environment[],
                           unsigned long long address_space_bytes, unsigned int cpu_seconds);
/* For tests: tries what a sandbox forbids, by its name in attempts.c. Returns an error number
   if the attempt is refused rather than deadly, 0 if it succeeded. */
int prompter_sandbox_try(const char *what);
#endif
