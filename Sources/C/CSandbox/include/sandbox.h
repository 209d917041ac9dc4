#ifndef PROMPTER_SANDBOX_H
#define PROMPTER_SANDBOX_H
/* Enters the sandbox of the decoders for the rest of this process. It forbids new files, sockets, programs, processes
   and executable memory, and limits processor time and memory. A forbidden call ends the process with SIGSYS. Call it
   with only one thread running. Returns 0, or the error number of the step that failed: then do not decode. */
int prompter_sandbox_enter(unsigned long long address_space_bytes, unsigned int cpu_seconds);
/* Closes every descriptor from `first` on that the parent may have left open. */
void prompter_close_from(unsigned int first);
/* Enters the sandbox of the speech program and executes the program. It may read programs, libraries and voices, and
   write only to open descriptors. It may start at most 8 threads. It may not use sockets, start processes, or send
   signals to other processes, and it has its own limits of memory and processor time. Returns only if a step failed,
   with its error number: then nothing may be spoken. Call it with only one thread running. */
int prompter_sandbox_speak(const char *program, char *const arguments[], char *const environment[],
                           unsigned long long address_space_bytes, unsigned int cpu_seconds);
/* For tests: tries a forbidden action, by its name in attempts.c. Returns an error number if the action is refused
   without ending the process, and 0 if it succeeded. */
int prompter_sandbox_try(const char *what);
#endif
