#ifndef PROMPTER_FAULTY_DISK_H
#define PROMPTER_FAULTY_DISK_H
/* A disk for tests that can lose its power, become full and fail. The disk is a layer between SQLite and the files of
   one directory. Reads, locks and shared memory use the real files. The layer remembers the writes that SQLite has not
   synced, so that a power failure can remove these writes. Syncs do not reach the real disk, because a test does not
   need its data after its end. */
#include <stdint.h>

typedef struct faulty_disk faulty_disk;

/* Makes a disk for a directory. If SQLite later opens a database in the directory, this database is on the disk.
   Returns NULL if SQLite refuses the disk. */
faulty_disk *faulty_disk_create(const char *directory);
/* Frees the disk. Call this function only when no database on the disk is open. */
void faulty_disk_destroy(faulty_disk *disk);

/* Returns how many writes, truncations and syncs the disk has done so far. */
long faulty_disk_operations(faulty_disk *disk);
/* Stops the disk after `operations` further operations. Later writes do not reach the disk, as if the process had ended
   or the power had failed. */
void faulty_disk_stop_after(faulty_disk *disk, long operations);
/* After `operations` further operations, makes each operation fail until a call of faulty_disk_mend. The disk is full
   (is_broken = 0) or broken (is_broken = 1). */
void faulty_disk_fail_after(faulty_disk *disk, long operations, int is_broken);
void faulty_disk_mend(faulty_disk *disk);
/* Starts a stopped disk again and keeps all writes, as after the end of a process without a power failure. Call this
   function and the next function only while no database is open. */
int faulty_disk_restart(faulty_disk *disk);
/* Starts a stopped disk again and keeps all synced writes. For each write that was not synced, the seed decides whether
   the write is complete, torn into sectors of 512 bytes, or lost. Returns 0, or -1 if a file cannot be written. */
int faulty_disk_lose_power(faulty_disk *disk, uint64_t seed);
/* Returns the number of bytes that the last power failure removed or tore. */
long faulty_disk_lost_bytes(faulty_disk *disk);
#endif
