#ifndef PROMPTER_FAULTY_DISK_H
#define PROMPTER_FAULTY_DISK_H
/* A disk for tests that can lose its power, fill up and fail. It is a layer between SQLite and the files of one
   directory. Reads, locks and shared memory use the real files. The layer remembers writes that were not synced, so
   that they can be lost. Syncs do not reach the real disk: no data here has to outlive the test. */
#include <stdint.h>

typedef struct faulty_disk faulty_disk;

/* Makes a disk for a directory; every database opened below it from now on is on this disk. NULL if SQLite refuses. */
faulty_disk *faulty_disk_create(const char *directory);
/* Frees the disk. No database on it may be open. */
void faulty_disk_destroy(faulty_disk *disk);

/* Number of writes, truncations and syncs so far. */
long faulty_disk_operations(faulty_disk *disk);
/* After this number of further operations, nothing reaches the disk, as if the process or the power had failed. */
void faulty_disk_stop_after(faulty_disk *disk, long operations);
/* After this number of further operations, each operation fails, until faulty_disk_mend: the disk is full
   (is_broken = 0) or broken (1). */
void faulty_disk_fail_after(faulty_disk *disk, long operations, int is_broken);
void faulty_disk_mend(faulty_disk *disk);
/* Starts a stopped disk again with all writes: only the process had failed. Call this function and the next one only if
   no database is open. */
int faulty_disk_restart(faulty_disk *disk);
/* Starts a stopped disk again with all synced writes. The seed decides for each other write: complete, torn into
   sectors of 512 bytes, or lost, in any mixture. Returns 0, or -1 if a file cannot be written. */
int faulty_disk_lose_power(faulty_disk *disk, uint64_t seed);
/* Bytes that the last power loss removed or tore. */
long faulty_disk_lost_bytes(faulty_disk *disk);
#endif
