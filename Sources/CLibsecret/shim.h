// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0
#ifndef CLIBSECRET_SHIM_H
#define CLIBSECRET_SHIM_H

#endif
