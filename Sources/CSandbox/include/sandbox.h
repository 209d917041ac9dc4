#ifndef PROMPTER_SANDBOX_H
#define PROMPTER_SANDBOX_H
/* Gives up, for good, everything that decoding an upload does not need: no new files, sockets, programs,
   processes or executable memory; little processor time and memory. Whatever breaks this ends the process with
   SIGSYS. Call with one thread. Returns 0, or the error number of the step that failed: then do not decode. */
int prompter_sandbox_enter(unsigned long long address_space_bytes, unsigned int cpu_seconds);
/* Closes every descriptor from `first` up that an untidy parent left open. */
void prompter_close_from(unsigned int first);
/* For tests: tries what the sandbox forbids ("socket", "open", "exec", "fork", "kill", "code", "memory", "time").
   Returns an error number where the attempt is refused rather than deadly, 0 where it succeeded. */
int prompter_sandbox_try(const char *what);
#endif
