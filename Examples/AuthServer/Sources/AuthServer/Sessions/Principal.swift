// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Who sends a request: the session's token was verified, and the session and its account are there.
struct Principal: Sendable {
    let account: Account
    let sessionID: String
    /// Stands for the person in the log.
    let tag: String
}
