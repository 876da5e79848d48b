// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
#ifndef CSIGNET_ARGUMENTS_H
#define CSIGNET_ARGUMENTS_H

// The arguments of the program as the kernel gave them. Swift reads them from /proc, which may not
// be mounted, and replaces bytes that are not UTF-8. For one thread at a time.

// How many there are, with the program's name.
int csignet_argument_count(void);

// The octet at `place` of an argument; 0 from its end on. It returns octets so that Swift can read
// an argument without a pointer.
unsigned char csignet_argument_octet(int index, int place);

#endif
