/* Parts of Linux that the Swift module Glibc does not export: timerfd, prctl (variadic) and struct ucred. _GNU_SOURCE
   stays undefined. If it were defined, fd_set would differ from fd_set in the Swift module Glibc. */
#ifndef PROMPTER_CLINUX_H
#define PROMPTER_CLINUX_H
#include <malloc.h>
#include <sys/ioctl.h>
#include <sys/timerfd.h>
#include <sys/prctl.h>
#include <sys/timex.h>
#include <sys/socket.h>
#include <malloc.h>
#include <spawn.h>
/* This function exists since glibc 2.34, but the header of glibc hides it from Swift. */
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
/* Makes the child process close every descriptor from `first` on, because a library can open descriptors without
   close-on-exec. */
static inline int prompter_child_closes_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
struct prompter_ucred { int pid; unsigned uid; unsigned gid; };
static inline int prompter_set_thread_name(const char *name) {
  return prctl(PR_SET_NAME, (unsigned long)name, 0, 0, 0);
}
/* Calls EVIOCGRAB of linux/input.h. After this call, no other program gets the events of the device. */
static inline int prompter_grab_input(int device) { return ioctl(device, _IOW('E', 0x90, int), 1); }
/* Limits malloc to two arenas. The default is up to eight arenas for each processor. One arena cannot use the free
   memory of another arena, so with more arenas, each arena would grow to its own maximum. */
static inline void prompter_share_memory(void) { (void)mallopt(M_ARENA_MAX, 2); }
/* Returns freed memory of this process to the system. */
static inline void prompter_return_memory(void) { (void)malloc_trim(0); }
static inline int prompter_die_with_parent(void) {
  return prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0);
}
#endif
