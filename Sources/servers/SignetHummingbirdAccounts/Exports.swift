// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    // A program that mounts these routes names its accounts, its provider, its users and the
    // answers to errors without further imports.
    @_exported public import SignetAccounts
    @_exported public import SignetHummingbird
    @_exported public import SignetIdentity
    @_exported public import SignetSignIn
#endif
