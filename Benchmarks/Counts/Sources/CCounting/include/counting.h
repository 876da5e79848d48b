// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#pragma once

#include <stddef.h>
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

// Nanoseconds by the clock, and of processor time of the calling thread.
uint64_t counting_clock(void);
uint64_t counting_thread_clock(void);

// HMAC-SHA-256 with nothing around it and contexts made once, for one thread: 1 when the code is that of the message.
typedef struct counting_hmac counting_hmac;
counting_hmac *counting_hmac_new(const uint8_t *key, size_t key_count);
void counting_hmac_free(counting_hmac *hmac);
int counting_hmac_verify(counting_hmac *hmac, const uint8_t *message, size_t count, const uint8_t code[32]);
