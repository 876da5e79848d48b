// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "test_programs.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>

int signet_test_spawn(pid_t *identifier, const char *path, char *const words[],
                      char *const variables[], const char *folder, const int streams[3]) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    if (posix_spawn_file_actions_init(&actions) != 0) return ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return ENOMEM;
    }
    int code = 0;
    for (int number = 0; code == 0 && number < 3; number++) {
        code = posix_spawn_file_actions_adddup2(&actions, streams[number], number);
    }
    if (code == 0) code = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    if (code == 0 && folder) code = posix_spawn_file_actions_addchdir_np(&actions, folder);
    // On a thread of Dispatch's all signals are blocked: no Ctrl-C would end the program.
    if (code == 0) code = posix_spawnattr_setsigmask(&attributes, &none);
    if (code == 0) code = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    if (code == 0) code = posix_spawn(identifier, path, &actions, &attributes, words, variables);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

int signet_test_memory_file(void) {
    int descriptor = memfd_create("stream", MFD_CLOEXEC);
    if (descriptor >= 0) (void)fchmod(descriptor, 0600);
    return descriptor;
}
