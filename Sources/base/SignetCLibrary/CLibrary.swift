// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// The C library, whichever it is. Only SignetBase and SignetPlatform import it.

#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#elseif canImport(Darwin)
    @_exported public import Darwin
#endif
