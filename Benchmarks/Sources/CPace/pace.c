// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#include "pace.h"

uint64_t pace_additions(uint64_t count) {
    uint64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0;
    for (uint64_t i = 0; i < count; i += 1) {
        a += i, b += i, c += i, d += i, e += i, f += i;
        // No instruction, but the compiler has to have all six numbers here, and in registers.
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
    }
    return a ^ b ^ c ^ d ^ e ^ f;
}
