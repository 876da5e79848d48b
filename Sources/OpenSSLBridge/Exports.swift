// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

@_exported public import SignetMemory
