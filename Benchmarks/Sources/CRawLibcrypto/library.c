// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#include "raw_libcrypto.h"

#include <openssl/crypto.h>

const char *raw_library_version(void) { return OpenSSL_version(OPENSSL_VERSION); }
