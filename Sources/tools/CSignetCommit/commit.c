// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
#include "csignet_commit.h"

// Package.swift defines SIGNET_COMMIT for this target alone, so a new commit recompiles this file
// and nothing else.
static const char commit[] = SIGNET_COMMIT;

unsigned char csignet_commit_octet(int index) {
    return index >= 0 && index < (int)sizeof commit ? (unsigned char)commit[index] : 0;
}
