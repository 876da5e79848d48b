// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// A `catch` of an error of this module reads its `code` and its `message`.
@_exported public import SignetBase
// What a request presents, and the errors of a configuration. Whoever verifies a sign-in mostly
// issues a session token next.
@_exported public import SignetSessionTokens
