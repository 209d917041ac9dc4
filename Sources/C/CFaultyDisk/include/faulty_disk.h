#ifndef PROMPTER_FAULTY_DISK_H
#define PROMPTER_FAULTY_DISK_H
/* A disk for tests that can lose its power, become full and fail. The disk is a layer between SQLite and the files of
   one directory. Reads, locks and shared memory use the real files. The layer remembers writes that were not synced,
   so that a power failure can remove them. Syncs do not reach the real disk, because no data of a test must outlive
   the test. */
#include <stdint.h>

typedef struct faulty_disk faulty_disk;

/* Makes a disk for a directory. Every database that is later opened in the directory is on this disk. Returns NULL if
   SQLite refuses the disk. */
faulty_disk *faulty_disk_create(const char *directory);
/* Frees the disk. No database on it may be open. */
void faulty_disk_destroy(faulty_disk *disk);

/* Returns the number of writes, truncations and syncs so far. */
long faulty_disk_operations(faulty_disk *disk);
/* Stops the disk after this number of further operations. Later writes do not reach the disk, as after the end of the
   process or of the power. */
void faulty_disk_stop_after(faulty_disk *disk, long operations);
/* Makes each operation fail after this number of further operations, until faulty_disk_mend. The disk is full
   (is_broken = 0) or broken (is_broken = 1). */
void faulty_disk_fail_after(faulty_disk *disk, long operations, int is_broken);
void faulty_disk_mend(faulty_disk *disk);
/* Starts a stopped disk again with all its writes, because only the process had failed. Call this function and the
   next function only while no database is open. */
int faulty_disk_restart(faulty_disk *disk);
/* Starts a stopped disk again with all synced writes. The seed decides for each other write: it is complete, torn into
   sectors of 512 bytes, or lost. Returns 0, or -1 if a file cannot be written. */
int faulty_disk_lose_power(faulty_disk *disk, uint64_t seed);
/* Returns the number of bytes that the last power failure removed or tore. */
long faulty_disk_lost_bytes(faulty_disk *disk);
#endif
