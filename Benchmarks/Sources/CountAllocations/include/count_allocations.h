// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdint.h>

// How often memory was asked for since the start: by libcrypto, and by everybody else.
void signet_allocation_counts(uint64_t *others, uint64_t *libcrypto);
