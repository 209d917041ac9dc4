/* Threads for Swift's tasks that do not wake an idle process.

   Swift passes its tasks to libdispatch. On Linux, libdispatch checks its thread pool once a second while the process
   runs (`_dispatch_workq_monitor_pools` in its src/event/workqueue.c): 60 wake-ups a minute of an idle daemon. In a
   program that links this target, four waiting threads run the tasks. They use the hook of the concurrency runtime for
   this purpose (swift_task_enqueueGlobal_hook). With a runtime that has no such hook, the program does not link.

   Two functions still use libdispatch's pool and would wake it: Task.sleep and DispatchQueue.global. Use `hasSlept` of
   the module Platform instead of Task.sleep. A private serial queue does not use the pool. */
#ifndef PROMPTER_CTHREADS_H
#define PROMPTER_CTHREADS_H

/* Number of threads that run tasks. Each is started when it is needed for the first time. */
enum { prompter_task_threads = 4 };

#endif
