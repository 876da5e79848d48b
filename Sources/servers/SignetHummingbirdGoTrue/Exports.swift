// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    // A program that mounts the service names it, its accounts and the answers to errors without
    // further imports.
    @_exported public import SignetGoTrue
    @_exported public import SignetHummingbirdAccounts
#endif
