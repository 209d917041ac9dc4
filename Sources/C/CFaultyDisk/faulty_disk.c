#include "faulty_disk.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECTOR = 512, MOST_FILES = 64, MOST_DISKS = 16 };

/* A write to a file. If `size` is 0, the operation is a truncation of the file to `offset`. */
typedef struct operation {
  struct operation *next;
  sqlite3_int64 offset;
  long size;
  char data[];
} operation;

/* The durable content of a file, and the operations on the file since the last sync. */
typedef struct {
  char path[512];
  char *durable;
  long size, capacity;
  operation *first, **last;
} shadow;

struct faulty_disk {
  char directory[400];
  pthread_mutex_t lock;
  shadow files[MOST_FILES];
  int count;
  long operations, stops_at, fails_at, lost;
  int is_stopped, is_broken;
};

typedef struct {
  sqlite3_file base;
  faulty_disk *disk;
  shadow *shadow;
  sqlite3_file real[];
} faulty_file;

static sqlite3_vfs *real_vfs;
static sqlite3_vfs faulty_vfs;
static pthread_mutex_t disks_lock = PTHREAD_MUTEX_INITIALIZER;
static faulty_disk *disks[MOST_DISKS];

static faulty_disk *disk_of(const char *path) {
  faulty_disk *found = NULL;
  pthread_mutex_lock(&disks_lock);
  for (int i = 0; path && i < MOST_DISKS; i++) {
    size_t length = disks[i] ? strlen(disks[i]->directory) : 0;
    if (length && strncmp(path, disks[i]->directory, length) == 0 && path[length] == '/') found = disks[i];
  }
  pthread_mutex_unlock(&disks_lock);
  return found;
}

static shadow *shadow_of(faulty_disk *disk, const char *path) {
  for (int i = 0; i < disk->count; i++)
    if (strcmp(disk->files[i].path, path) == 0) return &disk->files[i];
  if (disk->count == MOST_FILES) abort();
  shadow *file = &disk->files[disk->count++];
  memset(file, 0, sizeof *file);
  snprintf(file->path, sizeof file->path, "%s", path);
  file->last = &file->first;
  return file;
}

static void resize(shadow *file, long size) {
  if (size > file->capacity) {
    file->capacity = size * 2;
    file->durable = realloc(file->durable, (size_t)file->capacity);
    if (!file->durable) abort();
  }
  if (size > file->size) memset(file->durable + file->size, 0, (size_t)(size - file->size));
  file->size = size;
}

/* Makes the bytes of an operation from `from` to `to` durable. */
static void settle(shadow *file, const operation *op, long from, long to) {
  if (op->size == 0) { resize(file, op->offset); return; }
  if (op->offset + to > file->size) resize(file, op->offset + to);
  memcpy(file->durable + op->offset + from, op->data + from, (size_t)(to - from));
}

static void forget(shadow *file) {
  while (file->first) {
    operation *next = file->first->next;
    free(file->first);
    file->first = next;
  }
  file->last = &file->first;
}

/* Counts an operation and returns its result: success, full, broken or stopped. The caller must hold the lock. */
static int next_result(faulty_disk *disk, int failure) {
  long number = disk->operations++;
  if (number >= disk->stops_at) disk->is_stopped = 1;
  if (disk->is_stopped) return SQLITE_IOERR;
  if (number >= disk->fails_at) return disk->is_broken ? failure : SQLITE_FULL;
  return SQLITE_OK;
}

static int change(faulty_file *file, const void *data, long size, sqlite3_int64 offset, int failure) {
  faulty_disk *disk = file->disk;
  pthread_mutex_lock(&disk->lock);
  int result = next_result(disk, failure);
  if (result == SQLITE_OK) {
    operation *op = malloc(sizeof *op + (size_t)size);
    if (!op) abort();
    *op = (operation){ .offset = offset, .size = size };
    if (size) memcpy(op->data, data, (size_t)size);
    *file->shadow->last = op;
    file->shadow->last = &op->next;
    result = size ? file->real->pMethods->xWrite(file->real, data, (int)size, offset)
                  : file->real->pMethods->xTruncate(file->real, offset);
  }
  pthread_mutex_unlock(&disk->lock);
  return result;
}

#define REAL(call, ...) faulty_file *f = (faulty_file *)file; return f->real->pMethods->call(f->real, ##__VA_ARGS__)

static int x_close(sqlite3_file *file) { REAL(xClose); }
static int x_read(sqlite3_file *file, void *data, int size, sqlite3_int64 offset) { REAL(xRead, data, size, offset); }
static int x_write(sqlite3_file *file, const void *data, int size, sqlite3_int64 offset) {
  return change((faulty_file *)file, data, size, offset, SQLITE_IOERR_WRITE);
}
static int x_truncate(sqlite3_file *file, sqlite3_int64 size) {
  return change((faulty_file *)file, NULL, 0, size, SQLITE_IOERR_TRUNCATE);
}
static int x_sync(sqlite3_file *file, int flags) {
  (void)flags;
  faulty_file *f = (faulty_file *)file;
  pthread_mutex_lock(&f->disk->lock);
  int result = next_result(f->disk, SQLITE_IOERR_FSYNC);
  if (result == SQLITE_OK) {
    for (operation *op = f->shadow->first; op; op = op->next) settle(f->shadow, op, 0, op->size);
    forget(f->shadow);
  } else if (result == SQLITE_FULL) {
    result = SQLITE_IOERR_FSYNC;
  }
  pthread_mutex_unlock(&f->disk->lock);
  return result;
}
static int x_file_size(sqlite3_file *file, sqlite3_int64 *size) { REAL(xFileSize, size); }
static int x_lock(sqlite3_file *file, int level) { REAL(xLock, level); }
static int x_unlock(sqlite3_file *file, int level) { REAL(xUnlock, level); }
static int x_check_lock(sqlite3_file *file, int *is_locked) { REAL(xCheckReservedLock, is_locked); }
static int x_control(sqlite3_file *file, int what, void *with) {
  /* SQLite must not change the size of the file directly, because this layer would not see the change. */
  if (what == SQLITE_FCNTL_SIZE_HINT || what == SQLITE_FCNTL_CHUNK_SIZE) return SQLITE_OK;
  REAL(xFileControl, what, with);
}
static int x_sector_size(sqlite3_file *file) { (void)file; return SECTOR; }
/* The disk can tear and reorder writes. Therefore the disk declares no special properties that SQLite could rely on. */
static int x_characteristics(sqlite3_file *file) { (void)file; return 0; }
static int x_shm_map(sqlite3_file *file, int page, int size, int extend, void volatile **to) {
  REAL(xShmMap, page, size, extend, to);
}
static int x_shm_lock(sqlite3_file *file, int offset, int n, int flags) { REAL(xShmLock, offset, n, flags); }
static void x_shm_barrier(sqlite3_file *file) { REAL(xShmBarrier); }
static int x_shm_unmap(sqlite3_file *file, int remove) { REAL(xShmUnmap, remove); }

static const sqlite3_io_methods faulty_methods = {
  2, x_close, x_read, x_write, x_truncate, x_sync, x_file_size, x_lock, x_unlock, x_check_lock, x_control,
  x_sector_size, x_characteristics, x_shm_map, x_shm_lock, x_shm_barrier, x_shm_unmap, NULL, NULL,
};

static int x_open(sqlite3_vfs *vfs, sqlite3_filename path, sqlite3_file *file, int flags, int *out) {
  (void)vfs;
  faulty_disk *disk = disk_of(path);
  /* For a file that is not on such a disk, SQLite uses only the real VFS. */
  if (!disk) return real_vfs->xOpen(real_vfs, path, file, flags, out);
  faulty_file *f = (faulty_file *)file;
  f->base.pMethods = NULL;
  f->disk = disk;
  int result = real_vfs->xOpen(real_vfs, path, f->real, flags, out);
  if (result != SQLITE_OK) return result;
  pthread_mutex_lock(&disk->lock);
  f->shadow = shadow_of(disk, path);
  pthread_mutex_unlock(&disk->lock);
  f->base.pMethods = &faulty_methods;
  return SQLITE_OK;
}

static int x_delete(sqlite3_vfs *vfs, const char *path, int sync) {
  (void)vfs;
  faulty_disk *disk = disk_of(path);
  if (!disk) return real_vfs->xDelete(real_vfs, path, sync);
  pthread_mutex_lock(&disk->lock);
  int result = disk->is_stopped ? SQLITE_IOERR_DELETE : real_vfs->xDelete(real_vfs, path, sync);
  if (result == SQLITE_OK) {
    shadow *file = shadow_of(disk, path);
    forget(file);
    file->size = 0;
  }
  pthread_mutex_unlock(&disk->lock);
  return result;
}

static void install(void) {
  real_vfs = sqlite3_vfs_find(NULL);
  if (!real_vfs) return;
  faulty_vfs = *real_vfs;
  faulty_vfs.zName = "faulty";
  faulty_vfs.szOsFile = (int)sizeof(faulty_file) + real_vfs->szOsFile;
  faulty_vfs.xOpen = x_open;
  faulty_vfs.xDelete = x_delete;
  sqlite3_vfs_register(&faulty_vfs, 1);
}

faulty_disk *faulty_disk_create(const char *directory) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  if (!real_vfs) return NULL;
  faulty_disk *disk = calloc(1, sizeof *disk);
  if (!disk) return NULL;
  snprintf(disk->directory, sizeof disk->directory, "%s", directory);
  pthread_mutex_init(&disk->lock, NULL);
  disk->stops_at = disk->fails_at = INT64_MAX;
  int is_kept = 0;
  pthread_mutex_lock(&disks_lock);
  for (int i = 0; i < MOST_DISKS && !is_kept; i++)
    if (!disks[i]) { disks[i] = disk; is_kept = 1; }
  pthread_mutex_unlock(&disks_lock);
  if (is_kept) return disk;
  free(disk);
  return NULL;
}

void faulty_disk_destroy(faulty_disk *disk) {
  pthread_mutex_lock(&disks_lock);
  for (int i = 0; i < MOST_DISKS; i++)
    if (disks[i] == disk) disks[i] = NULL;
  pthread_mutex_unlock(&disks_lock);
  for (int i = 0; i < disk->count; i++) { forget(&disk->files[i]); free(disk->files[i].durable); }
  free(disk);
}

long faulty_disk_operations(faulty_disk *disk) {
  pthread_mutex_lock(&disk->lock);
  long count = disk->operations;
  pthread_mutex_unlock(&disk->lock);
  return count;
}

void faulty_disk_stop_after(faulty_disk *disk, long operations) {
  pthread_mutex_lock(&disk->lock);
  disk->stops_at = disk->operations + operations;
  pthread_mutex_unlock(&disk->lock);
}

void faulty_disk_fail_after(faulty_disk *disk, long operations, int is_broken) {
  pthread_mutex_lock(&disk->lock);
  disk->fails_at = disk->operations + operations;
  disk->is_broken = is_broken;
  pthread_mutex_unlock(&disk->lock);
}

void faulty_disk_mend(faulty_disk *disk) {
  pthread_mutex_lock(&disk->lock);
  disk->fails_at = INT64_MAX;
  pthread_mutex_unlock(&disk->lock);
}

static void start(faulty_disk *disk) {
  disk->is_stopped = 0;
  disk->stops_at = INT64_MAX;
}

int faulty_disk_restart(faulty_disk *disk) {
  start(disk);
  return 0;
}

/* Returns the next number of the random generator SplitMix64. The same seed causes the same losses. */
static uint64_t throw_dice(uint64_t *state) {
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

static void lose(faulty_disk *disk, shadow *file, uint64_t *state) {
  for (operation *op = file->first; op; op = op->next) {
    uint64_t fate = throw_dice(state) % 4;
    if (fate == 0 || op->size == 0) {
      if (fate != 1) settle(file, op, 0, op->size);
      continue;
    }
    if (fate == 1) { disk->lost += op->size; continue; }
    for (long from = 0; from < op->size; from += SECTOR) {
      long to = from + SECTOR < op->size ? from + SECTOR : op->size;
      if (throw_dice(state) % 2) settle(file, op, from, to); else disk->lost += to - from;
    }
  }
  forget(file);
}

int faulty_disk_lose_power(faulty_disk *disk, uint64_t seed) {
  disk->lost = 0;
  for (int i = 0; i < disk->count; i++) {
    shadow *file = &disk->files[i];
    lose(disk, file, &seed);
    if (access(file->path, F_OK) != 0) continue;
    FILE *out = fopen(file->path, "wb");
    if (!out) return -1;
    size_t written = file->size ? fwrite(file->durable, 1, (size_t)file->size, out) : 0;
    if (fclose(out) != 0 || written != (size_t)file->size) return -1;
    char shared[600];
    snprintf(shared, sizeof shared, "%s-shm", file->path);
    unlink(shared);
  }
  start(disk);
  return 0;
}

long faulty_disk_lost_bytes(faulty_disk *disk) { return disk->lost; }
