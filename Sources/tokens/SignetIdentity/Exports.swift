// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// A `catch` of an error of this module reads its `code` and its `message`.
@_exported public import SignetBase
// The tokens that a request presents, and the errors of a configuration. A program that verifies a
// sign-in usually issues a session token next.
@_exported public import SignetSessionTokens
