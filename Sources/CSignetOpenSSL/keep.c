// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
#include "csignet_openssl.h"

#include <openssl/crypto.h>

// libcrypto decides once, at its first call in the process, whether it cleans up at exit. This option says no and sets up nothing
// else: no configuration file is read, no algorithm is loaded.
int csignet_openssl_keep(void) { return OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL); }

// At load, since any function of the library may be the first one that a program calls.
__attribute__((constructor)) static void keep_at_load(void) { (void)csignet_openssl_keep(); }
