// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
//
// A machine without memory, for libcrypto alone: what links this has a malloc that can fail where
// libcrypto calls it.
#ifndef FAILING_MALLOC_H
#define FAILING_MALLOC_H

#include <stdbool.h>

// Of what libcrypto asks for on this thread from now on, the request number `first`, counted from
// 0, gets nothing; with `lasting` every later one as well. A negative number ends it. Returns how
// many were refused since the last call, or -1 where a sanitizer has the allocator.
int failing_malloc_set(int first, bool lasting);

#endif
