/* Threads that run the tasks of Swift and do not wake an idle process.

   Swift passes its tasks to libdispatch. On Linux, libdispatch checks its thread pool once a second while the process
   runs (`_dispatch_workq_monitor_pools` in its src/event/workqueue.c). The checks cause 60 wake-ups per minute in an
   idle daemon. In a program that links this target, up to four threads run the tasks and wait without a timer. The
   threads receive the tasks through a hook of the concurrency runtime (swift_task_enqueueGlobal_hook). If a runtime
   does not contain this hook, the linker reports an error.

   Two functions still use the pool of libdispatch and would wake an idle process: Task.sleep and DispatchQueue.global.
   Use `hasSlept` of the module Platform instead of Task.sleep. A private serial queue does not use the pool. */
#ifndef PROMPTER_CTHREADS_H
#define PROMPTER_CTHREADS_H

/* The maximum number of threads that run tasks. The module starts each thread when a task first needs the thread. */
enum { prompter_task_threads = 4 };

#endif
