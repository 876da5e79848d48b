// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// What Swift's module of glibc leaves out.
#ifndef SIGNET_TEST_PROGRAMS_H
#define SIGNET_TEST_PROGRAMS_H

#include <sys/types.h>

// Starts a program with three streams and no other descriptor, no signal blocked, and a folder where
// one is given. Returns 0, or the number of the error.
int signet_test_spawn(pid_t *identifier, const char *path, char *const words[],
                      char *const variables[], const char *folder, const int streams[3]);

// A file without a name, for its owner alone; -1 where there is none.
int signet_test_memory_file(void);

#endif
