/* Parts of Linux that Swift's Glibc module does not export: timerfd, prctl (variadic), struct ucred.
   _GNU_SOURCE stays undefined: with it, fd_set differs from the one in Swift's Glibc module. */
#ifndef PROMPTER_CLINUX_H
#define PROMPTER_CLINUX_H
#include <sys/ioctl.h>
#include <sys/timerfd.h>
#include <sys/prctl.h>
#include <sys/timex.h>
#include <sys/socket.h>
#include <malloc.h>
#include <spawn.h>
/* Available since glibc 2.34; the header of glibc hides it from Swift. */
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
/* Makes the child close every descriptor from `first` on, even if a library opened it without close-on-exec. */
static inline int prompter_child_closes_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
struct prompter_ucred { int pid; unsigned uid; unsigned gid; };
static inline int prompter_set_thread_name(const char *name) {
  return prctl(PR_SET_NAME, (unsigned long)name, 0, 0, 0);
}
/* EVIOCGRAB of linux/input.h: no other program gets the device's events. */
static inline int prompter_grab_input(int device) { return ioctl(device, _IOW('E', 0x90, int), 1); }
/* Limits malloc to two arenas. By default there are up to eight for each processor. Free memory of one arena cannot be
   used by another, so each arena grows to its own maximum. */
static inline void prompter_share_memory(void) { (void)mallopt(M_ARENA_MAX, 2); }
/* Returns freed memory to the system. */
static inline void prompter_return_memory(void) { (void)malloc_trim(0); }
static inline int prompter_die_with_parent(void) {
  return prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0);
}
#endif
