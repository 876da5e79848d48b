// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// A compact token under a JWK.
struct TokenCheck: Sendable {
    /// The key, or the keys to be tried one by one when the token has none of its own.
    let keys: [[UInt8]]
    let token: String
    let payload: [UInt8]?

    func observation() -> AuditObservation { .failed("not there yet") }
}
