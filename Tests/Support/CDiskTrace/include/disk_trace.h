// Notes the calls that change files, for tests that check the order of write, fsync, rename and unlink.
#ifndef DISK_TRACE_H
#define DISK_TRACE_H

#include <stddef.h>

// Starts a trace of all files below a directory. Returns the number of the trace, or -1 if too many traces are open.
int disk_trace_begin(const char *directory);

// Ends a trace. Returns one line for each call, which the caller frees: the name of the call and its paths, separated by
// tabs. Returns NULL if the memory is exhausted.
char *disk_trace_end(int trace);

#endif
