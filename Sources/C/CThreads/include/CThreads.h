/* Threads for Swift's tasks that leave an idle process asleep.

   Swift gives its tasks to libdispatch, and libdispatch on Linux looks after that pool of its own once a
   second for as long as the process lives (`_dispatch_workq_monitor_pools` in its src/event/workqueue.c):
   60 wake-ups a minute of a daemon that has nothing to do. A program that links this target has its tasks
   run by four threads that wait for work, through the hook that the concurrency runtime has for the purpose
   (swift_task_enqueueGlobal_hook). A runtime without that hook does not link.

   Two things still go to libdispatch's pool and would wake it: Task.sleep, for which Host has `hasSlept`, and
   DispatchQueue.global; a serial queue of one's own does not. */
#ifndef PROMPTER_CTHREADS_H
#define PROMPTER_CTHREADS_H

/* How many threads run tasks; they are started when they are first needed. */
enum { prompter_task_threads = 4 };

#endif
