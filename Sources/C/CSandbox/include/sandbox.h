#ifndef PROMPTER_SANDBOX_H
#define PROMPTER_SANDBOX_H
/* Enters the sandbox of the decoders for the rest of this process. The sandbox forbids new files, sockets, programs,
   processes and executable memory, and limits processor time and memory. A forbidden call ends the process with
   SIGSYS. Call this function while only one thread runs. Returns 0, or the error number of the call that failed. After
   an error, the program must not decode. */
int prompter_sandbox_enter(unsigned long long address_space_bytes, unsigned int cpu_seconds);
/* Closes every descriptor from `first` on. The parent process can have left descriptors open. */
void prompter_close_from(unsigned int first);
/* Enters the sandbox of the speech program and executes the program. The speech program may read programs, libraries
   and voices. The speech program may write only to open descriptors. The program may start at most 8 threads. It may
   not use sockets, start processes, or send signals to other processes. The memory and the processor time of the
   program are limited. Call this function while only one thread runs. If a call fails, the function returns the error
   number of this call. Otherwise, the function does not return. After an error, the caller must not speak the text in
   another way. */
int prompter_sandbox_speak(const char *program, char *const arguments[], char *const environment[],
                           unsigned long long address_space_bytes, unsigned int cpu_seconds);
/* Tries a forbidden action. Only tests use this function. attempts.c contains the names of the actions. Returns 0 if
   the action succeeded, and an error number if the kernel refused the action and the process continues. */
int prompter_sandbox_try(const char *what);
#endif
