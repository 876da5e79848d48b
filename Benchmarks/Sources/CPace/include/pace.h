// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#ifndef CPACE_H
#define CPACE_H

#include <stdint.h>

/// Six additions that do not wait for each other, so many times: as many instructions in a cycle as the core can do, without
/// memory. What another thread on the same core takes from it shows here first.
uint64_t pace_additions(uint64_t count);

#endif
