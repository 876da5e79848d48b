// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// A program that keeps a person signed in names addresses, requests, codes and errors without
// further imports.
@_exported public import SignetIdentity
@_exported public import SignetSession
@_exported public import SignetSignIn
