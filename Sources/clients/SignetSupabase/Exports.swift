// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// A program signs in, keeps the session and catches errors without further imports.
@_exported public import SignetSession
@_exported public import SignetSignIn
