// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
//
// Only what Swift's Glibc module leaves out: each wrapper says why it is here.
#ifndef CSYSTEM_SHIM_H
#define CSYSTEM_SHIM_H

#include <fcntl.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

// Swift 6 does not allow access to a global variable that any code may write to.
extern char **environ;
static inline char **csystem_environment(void) { return environ; }

// Newer than the oldest glibc that is supported. Without it a child inherits every descriptor that
// has no O_CLOEXEC. The function is declared here under a name of our own, because including
// <spawn.h> would make this module the owner of the thread types.
#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 34)
#define CSYSTEM_CLOSES_FROM 1
extern int csystem_add_close_from(void *actions, int from)
    __asm__("posix_spawn_file_actions_addclosefrom_np");
#endif
#endif
static inline int csystem_close_from(void *actions, int from) {
#if defined(CSYSTEM_CLOSES_FROM)
    return csystem_add_close_from(actions, from);
#else
    return 0;
#endif
}

// statfs is not in Swift's module. Returns the type of the file system, or -1 with errno set.
static inline int64_t csystem_file_system_type(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 ? (int64_t)(uint32_t)status.f_type : -1;
}

// renameat2 is declared only with _GNU_SOURCE. Renames unless the new name exists (EEXIST).
static inline int csystem_rename_exclusively(int folder, const char *from, const char *to) {
    return (int)syscall(SYS_renameat2, folder, from, folder, to, 1U /* RENAME_NOREPLACE */);
}

// The type of RLIMIT_CORE depends on the C library. Sets the soft limit of core dumps, at most to the
// hard one, which stays. Returns the one before; -1 is "unlimited".
static inline int64_t csystem_set_core_limit(int64_t soft) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) != 0) return -1;
    rlim_t before = limit.rlim_cur;
    limit.rlim_cur = (rlim_t)soft < limit.rlim_max ? (rlim_t)soft : limit.rlim_max;
    return setrlimit(RLIMIT_CORE, &limit) == 0 ? (int64_t)before : -1;
}

// prctl takes any number of arguments, which Swift cannot call.
static inline void csystem_set_dumpable(int dumpable) {
    (void)syscall(SYS_prctl, 4L /* PR_SET_DUMPABLE */, (long)dumpable, 0L, 0L, 0L);
}

#endif
