// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
//
// Only what the Glibc module of Swift leaves out: each wrapper says why it is here.
#ifndef CSYSTEM_SHIM_H
#define CSYSTEM_SHIM_H

#include <fcntl.h>
#include <stdint.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

// A variable that anyone may write to is out of reach of Swift 6.
extern char **environ;
static inline char **csystem_environment(void) { return environ; }

// Newer than the oldest glibc: there the child gets what has no O_CLOEXEC. By a name of its own, for
// <spawn.h> here would make types of threads this module's.
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

// statfs is not in the module. Returns the type of the file system, or -1 with errno.
static inline int64_t csystem_file_system_type(const char *path) {
    struct statfs status;
    return statfs(path, &status) == 0 ? (int64_t)(uint32_t)status.f_type : -1;
}

// renameat2 is declared for _GNU_SOURCE only. Renames unless the new name is taken (EEXIST).
static inline int csystem_rename_exclusively(const char *from, const char *to) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 1U /* RENAME_NOREPLACE */);
}

#endif
