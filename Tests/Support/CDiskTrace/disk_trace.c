// Each function below replaces the function of the C library with the same name in the whole program: in the code of
// Prompter, and in SQLite. The replacement makes the same call. If a trace is open, the replacement also notes the
// call.
#define _GNU_SOURCE
#include "include/disk_trace.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TRACES = 16, PATH = 4096 };

static struct {
  char *directory;
  char *lines;
  size_t length;
} traces[TRACES];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int open_traces;

int disk_trace_begin(const char *directory) {
  pthread_mutex_lock(&mutex);
  int found = -1;
  for (int i = 0; i < TRACES && found < 0; i++)
    if (traces[i].directory == NULL && (traces[i].directory = strdup(directory)) != NULL) found = i;
  if (found >= 0) atomic_fetch_add(&open_traces, 1);
  pthread_mutex_unlock(&mutex);
  return found;
}

char *disk_trace_end(int trace) {
  pthread_mutex_lock(&mutex);
  char *lines = traces[trace].lines != NULL ? traces[trace].lines : strdup("");
  free(traces[trace].directory);
  memset(&traces[trace], 0, sizeof traces[trace]);
  atomic_fetch_sub(&open_traces, 1);
  pthread_mutex_unlock(&mutex);
  return lines;
}

static void note(const char *call, const char *first, const char *second) {
  int saved = errno;
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < TRACES; i++) {
    if (traces[i].directory == NULL) continue;
    size_t length = strlen(traces[i].directory);
    if (strncmp(first, traces[i].directory, length) != 0) continue;
    char *line = NULL;
    int count = asprintf(&line, "%s\t%s\t%s\n", call, first, second);
    char *lines = count < 0 ? NULL : realloc(traces[i].lines, traces[i].length + (size_t)count + 1);
    if (lines == NULL) abort();
    memcpy(lines + traces[i].length, line, (size_t)count + 1);
    traces[i].lines = lines;
    traces[i].length += (size_t)count;
    free(line);
  }
  pthread_mutex_unlock(&mutex);
  errno = saved;
}

static void note_file(const char *call, int file, const char *name) {
  if (atomic_load(&open_traces) == 0) return;
  int saved = errno;
  char link[64], path[PATH];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length > 0) {
    path[length] = 0;
    note(call, path, name);
  }
  errno = saved;
}

static void note_path(const char *call, const char *first, const char *second) {
  if (atomic_load(&open_traces) != 0) note(call, first, second);
}

int fsync(int file) {
  int result = (int)syscall(SYS_fsync, file);
  if (result == 0) note_file("fsync", file, "");
  return result;
}

int fdatasync(int file) {
  int result = (int)syscall(SYS_fdatasync, file);
  if (result == 0) note_file("fsync", file, "");
  return result;
}

ssize_t write(int file, const void *bytes, size_t count) {
  ssize_t result = syscall(SYS_write, file, bytes, count);
  if (result > 0) note_file("write", file, "");
  return result;
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
  ssize_t result = syscall(SYS_pwrite64, file, bytes, count, offset);
  if (result > 0) note_file("write", file, "");
  return result;
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
  return pwrite64(file, bytes, count, offset);
}

int ftruncate64(int file, off64_t length) {
  int result = (int)syscall(SYS_ftruncate, file, length);
  if (result == 0) note_file("write", file, "");
  return result;
}

int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

int rename(const char *from, const char *to) {
  int result = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
  if (result == 0) note_path("rename", from, to);
  return result;
}

int link(const char *from, const char *to) {
  int result = (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
  if (result == 0) note_path("link", from, to);
  return result;
}

int unlink(const char *path) {
  int result = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
  if (result == 0) note_path("unlink", path, "");
  return result;
}

int unlinkat(int directory, const char *path, int flags) {
  int result = (int)syscall(SYS_unlinkat, directory, path, flags);
  if (result == 0 && directory != AT_FDCWD) note_file("unlinkat", directory, path);
  return result;
}

int rmdir(const char *path) {
  int result = (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
  if (result == 0) note_path("unlink", path, "");
  return result;
}

int mkdir(const char *path, mode_t mode) {
  int result = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
  if (result == 0) note_path("create", path, "");
  return result;
}
