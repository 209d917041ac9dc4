/* What Swift's Glibc module does not export: timerfd, prctl (variadic), struct ucred.
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
/* Since glibc 2.34; its header hides it from Swift. */
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
/* The child closes every descriptor from `first` up, also those that a library opened without close-on-exec. */
static inline int prompter_child_closes_from(posix_spawn_file_actions_t *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
struct prompter_ucred { int pid; unsigned uid; unsigned gid; };
static inline int prompter_set_thread_name(const char *name) {
  return prctl(PR_SET_NAME, (unsigned long)name, 0, 0, 0);
}
/* EVIOCGRAB of linux/input.h: nobody else gets the device's events. */
static inline int prompter_grab_input(int device) { return ioctl(device, _IOW('E', 0x90, int), 1); }
/* Else up to eight arenas for each processor, of which what is free in one serves no other: they all grow to
   what their busiest moment took. */
static inline void prompter_share_memory(void) { (void)mallopt(M_ARENA_MAX, 2); }
/* Gives back to the system what was freed. */
static inline void prompter_return_memory(void) { (void)malloc_trim(0); }
static inline int prompter_die_with_parent(void) {
  return prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0);
}
#endif
