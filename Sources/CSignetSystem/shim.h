// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
//
// Only what the Glibc module of Swift leaves out: each wrapper says why it is here.
#ifndef CSYSTEM_SHIM_H
#define CSYSTEM_SHIM_H

#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

// A variable that anyone may write to is out of reach of Swift 6.
extern char **environ;
static inline char **csystem_environment(void) { return environ; }

// Newer than the oldest glibc: there the child gets what has no O_CLOEXEC.
static inline int csystem_close_from(posix_spawn_file_actions_t *actions, int from) {
#if defined(__GLIBC__) && defined(__USE_MISC)
#if __GLIBC_PREREQ(2, 34)
    return posix_spawn_file_actions_addclosefrom_np(actions, from);
#endif
#endif
    return 0;
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
