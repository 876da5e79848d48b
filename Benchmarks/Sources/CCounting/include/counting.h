// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stdint.h>

// Under valgrind --tool=callgrind --instr-atstart=no; nothing happens elsewhere.
int counting_is_callgrind(void);
void counting_start(void);
void counting_stop(void);
// Sets all costs to nothing.
void counting_zero(void);
// Writes the costs since the last one to a file of their own, under this name.
void counting_dump(const char *name);

// What CountAllocations has counted; 0 when it is not preloaded.
int counting_allocations(uint64_t *others, uint64_t *libcrypto);
