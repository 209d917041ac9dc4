#ifndef PROMPTER_FAULTY_DISK_H
#define PROMPTER_FAULTY_DISK_H
/* A disk for tests that can lose its power, fill up and fail. It stands between SQLite and the files of one
   directory: reads, locks and shared memory go to the real files, and what was not synced is remembered, so that it
   can be lost. Syncs do not reach the real disk: nothing here is meant to outlive the test. */
#include <stdint.h>

typedef struct faulty_disk faulty_disk;

/* The disk that holds a directory; every database opened below it from now on is on it. NULL where SQLite refuses. */
faulty_disk *faulty_disk_create(const char *directory);
/* Forgets it. No database on it may be open. */
void faulty_disk_destroy(faulty_disk *disk);

/* Writes, truncations and syncs so far. */
long faulty_disk_operations(faulty_disk *disk);
/* After so many more operations nothing reaches the disk any more, as if the process or the power had gone. */
void faulty_disk_stop_after(faulty_disk *disk, long operations);
/* After so many more operations each one fails: the disk is full (0) or broken (1), until it is mended. */
void faulty_disk_fail_after(faulty_disk *disk, long operations, int is_broken);
void faulty_disk_mend(faulty_disk *disk);
/* Starts a stopped disk again with everything that was written: only the process had gone. Call both of these with no
   database open. */
int faulty_disk_restart(faulty_disk *disk);
/* Starts a stopped disk again with what was synced, and of the rest whatever the seed wants: whole writes, torn ones in
   sectors of 512 bytes, and lost ones, in any mixture. Returns 0, or -1 where a file cannot be written. */
int faulty_disk_lose_power(faulty_disk *disk, uint64_t seed);
/* Bytes that the last loss of power took or tore. */
long faulty_disk_lost_bytes(faulty_disk *disk);
#endif
