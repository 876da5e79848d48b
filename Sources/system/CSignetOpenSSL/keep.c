// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
#include "csignet_openssl.h"

#include <openssl/crypto.h>

// libcrypto decides once, at the first call to it in the process, whether it cleans up at exit. This option turns that off and does
// nothing else: no configuration file is read, and no algorithm is loaded.
int csignet_openssl_keep(void) { return OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL); }

// At load, because a program may call any function of the library first.
__attribute__((constructor)) static void keep_at_load(void) { (void)csignet_openssl_keep(); }
