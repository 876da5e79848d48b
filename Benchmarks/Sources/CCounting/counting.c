// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "counting.h"

#include <dlfcn.h>

// Comes with valgrind. Without it the program still counts allocations.
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>

int counting_is_callgrind(void) { return RUNNING_ON_VALGRIND > 0; }
void counting_start(void) { CALLGRIND_START_INSTRUMENTATION; }
void counting_stop(void) { CALLGRIND_STOP_INSTRUMENTATION; }
void counting_zero(void) { CALLGRIND_ZERO_STATS; }
void counting_dump(const char *name) { CALLGRIND_DUMP_STATS_AT(name); }
#else
int counting_is_callgrind(void) { return 0; }
void counting_start(void) {}
void counting_stop(void) {}
void counting_zero(void) {}
void counting_dump(const char *name) { (void)name; }
#endif

int counting_allocations(uint64_t *others, uint64_t *libcrypto) {
    void (*counts)(uint64_t *, uint64_t *) =
        (void (*)(uint64_t *, uint64_t *))dlsym(RTLD_DEFAULT, "signet_allocation_counts");
    if (!counts) return 0;
    counts(others, libcrypto);
    return 1;
}
