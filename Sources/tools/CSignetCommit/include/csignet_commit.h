// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
#ifndef CSIGNET_COMMIT_H
#define CSIGNET_COMMIT_H

// The octet at `index` of the text that names the commit this was built from; 0 from the text's end
// on. It returns octets so that Swift can read the text without a pointer.
unsigned char csignet_commit_octet(int index);

#endif
