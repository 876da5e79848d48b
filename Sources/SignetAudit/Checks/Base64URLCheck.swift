// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// base64url in both directions.
struct Base64URLCheck: Sendable {
    let bytes: [UInt8]
    let text: String

    func observation() -> AuditObservation {
        do throws(JOSEEncodingError) {
            guard try Base64URL.decode(text) == bytes else {
                return .differed("other octets came out")
            }
            return Base64URL.encode(bytes) == text ? .accepted : .differed("another text came out")
        } catch {
            return .rejected(.malformed, error.description)
        }
    }
}
