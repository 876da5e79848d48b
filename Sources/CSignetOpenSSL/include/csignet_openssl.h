// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
#ifndef CSIGNET_OPENSSL_H
#define CSIGNET_OPENSSL_H

// Keeps libcrypto usable until the process is gone: `exit`, and a return from `main`, would otherwise free what other threads are
// computing with. Done when the program is loaded; calling it again changes nothing, and has a static archive's linker take it along.
// 0 when libcrypto cannot be used.
int csignet_openssl_keep(void);

// The file that the dynamic linker took libcrypto from, as it names it; the program's own where
// libcrypto is linked into it. NULL when the linker does not say. It lives as long as the process.
const char *csignet_openssl_file(void);

#endif
