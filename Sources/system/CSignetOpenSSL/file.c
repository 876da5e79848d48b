// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Declares dladdr.
#define _GNU_SOURCE
#include "csignet_openssl.h"

#include <dlfcn.h>
#include <openssl/crypto.h>
#include <stdint.h>

const char *csignet_openssl_file(void) {
    Dl_info found;
    return dladdr((void *)(uintptr_t)&OpenSSL_version, &found) ? found.dli_fname : 0;
}
