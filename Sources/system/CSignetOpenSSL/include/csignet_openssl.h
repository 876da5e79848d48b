// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
#ifndef CSIGNET_OPENSSL_H
#define CSIGNET_OPENSSL_H

// Keeps libcrypto usable until the process is gone: `exit`, and a return from `main`, would
// otherwise free what other threads are computing with. This is done when the program is loaded. To
// call it again changes nothing, but makes the linker take the file of this function from a static
// archive. Returns 0 if libcrypto cannot be used.
int csignet_openssl_keep(void);

// The path of the file from which the dynamic linker loaded libcrypto, as the linker names it; the
// program's own if libcrypto is linked into it; NULL if the linker does not say. The text lives as
// long as the process.
const char *csignet_openssl_file(void);

#endif
