// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
//
// Swift cannot call fork: what a child of the process does is run from here.
#ifndef FORKED_CHILD_H
#define FORKED_CHILD_H

#include <stddef.h>
#include <stdint.h>

typedef enum forked_child_kind {
    // As programs do it, with the handlers of pthread_atfork.
    forked_child_fork,
    // The system call alone: no library hears of it.
    forked_child_clone,
} forked_child_kind;

// Makes a child, which has `body` write `count` bytes, sends them here and ends. Returns 0 when all of them have come,
// and -1 for everything else; a child that hangs is ended after 60 seconds. `body` returns 0 for success.
int forked_child_run(forked_child_kind kind, int (*body)(uint8_t *bytes, size_t count), uint8_t *bytes, size_t count);

#endif
