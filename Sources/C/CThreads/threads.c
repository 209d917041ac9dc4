#include "CThreads.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

#define SWIFT_CC __attribute__((swiftcall))

typedef SWIFT_CC void (*original_function)(void *job);
/* The executor for a job. If identity and implementation are both null, the job has no serial executor. */
typedef struct { void *identity; void *implementation; } serial_executor;

/* The header include/swift/Runtime/Concurrency.h of the runtime declares these two names. */
extern SWIFT_CC void (*swift_task_enqueueGlobal_hook)(void *job, original_function original);
extern SWIFT_CC void swift_job_run(void *job, serial_executor executor);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
/* A ring buffer of jobs. The oldest job runs first. When the buffer is full, its capacity doubles. */
static void **jobs;
static size_t capacity, first, count;
static int threads, idle;

static void *serve(void *unused) {
  (void)unused;
  prctl(PR_SET_NAME, (unsigned long)"tasks", 0, 0, 0);
  pthread_mutex_lock(&lock);
  for (;;) {
    while (count == 0) {
      idle++;
      pthread_cond_wait(&work, &lock);
      idle--;
    }
    void *job = jobs[first];
    first = (first + 1) % capacity;
    count--;
    pthread_mutex_unlock(&lock);
    swift_job_run(job, (serial_executor){0, 0});
    pthread_mutex_lock(&lock);
  }
  return NULL;
}

/* Ends the process, because otherwise a waiting task would be lost. The service manager then restarts the daemon. */
static void give_up(const char *what) {
  fprintf(stderr, "prompterd: cannot %s for tasks\n", what);
  abort();
}

static void grow(void) {
  size_t larger = capacity == 0 ? 256 : capacity * 2;
  void **moved = malloc(larger * sizeof *moved);
  if (moved == NULL) give_up("get memory");
  for (size_t i = 0; i < count; i++) moved[i] = jobs[(first + i) % capacity];
  free(jobs);
  jobs = moved;
  capacity = larger;
  first = 0;
}

static SWIFT_CC void enqueue(void *job, original_function original) {
  (void)original;
  pthread_mutex_lock(&lock);
  if (count == capacity) grow();
  jobs[(first + count) % capacity] = job;
  count++;
  if (idle == 0 && threads < prompter_task_threads) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, serve, NULL) == 0) {
      pthread_detach(thread);
      threads++;
    } else if (threads == 0) {
      give_up("start a thread");
    }
  }
  pthread_cond_signal(&work);
  pthread_mutex_unlock(&lock);
}

/* This function runs before main, so the hook is set before the first task. */
__attribute__((constructor)) static void take_over(void) { swift_task_enqueueGlobal_hook = enqueue; }
