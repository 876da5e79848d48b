// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// The C library, whichever it is. SignetPlatform imports it, and nothing else does.

#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#elseif canImport(Darwin)
    @_exported public import Darwin
#endif
