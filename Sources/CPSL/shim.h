// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
#ifndef CPSL_SHIM_H
#define CPSL_SHIM_H

#if __has_include(<libpsl.h>)
#include <libpsl.h>
#else
#error "libpsl's header is not here: package libpsl-dev (Debian, Ubuntu) or libpsl-devel (Fedora, RHEL)."
#endif

// Macros that are sums. The rule '*', by which every unknown top-level domain is a suffix, does not count as a rule.
static inline int cpsl_listed(void) {
    return PSL_TYPE_ANY | PSL_TYPE_NO_STAR_RULE;
}

#endif
