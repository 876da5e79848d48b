// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
#include "csignet_commit.h"

// Package.swift defines it, of this target alone: another commit compiles this file anew and
// nothing else.
static const char commit[] = SIGNET_COMMIT;

unsigned char csignet_commit_octet(int index) {
    return index >= 0 && index < (int)sizeof commit ? (unsigned char)commit[index] : 0;
}
