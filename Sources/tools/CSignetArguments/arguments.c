// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
#include "csignet_arguments.h"

#include <string.h>

#if !defined(__GLIBC__)
#error "only glibc gives constructors the arguments: take them from main here, and test it"
#endif

static int count;
static char **arguments;

__attribute__((constructor)) static void keep(int given, char **values) {
    count = given;
    arguments = values;
}

int csignet_argument_count(void) { return count; }

unsigned char csignet_argument_octet(int index, int place) {
    // The length of the argument that was asked for last.
    static int known = -1;
    static size_t length;
    if (index < 0 || index >= count || place < 0) return 0;
    if (index != known) {
        length = strlen(arguments[index]);
        known = index;
    }
    return (size_t)place < length ? (unsigned char)arguments[index][place] : 0;
}
