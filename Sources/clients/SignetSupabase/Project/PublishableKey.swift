// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetJOSE

/// A client's key, which may be published. Row-level security guards the data behind it; a key that
/// bypasses that security must not be in a client.
enum PublishableKey {
    static let maximumByteCount = 4_096

    /// - Throws: `invalidSecret` unless the key is `sb_publishable_…`, or a token (JWT) whose role
    ///   is `anon`. The error quotes nothing of the key.
    static func check(_ text: String) throws(IdentityConfigurationError) {
        guard (1...maximumByteCount).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw refusal("The project's key is empty, too long, or has blanks around it.")
        }
        let isNew = text.utf8.starts(with: "sb_publishable_".utf8)
        guard isNew || role(of: text)?.isEqual(to: "anon") == true else {
            throw refusal(
                "This is not the project's publishable key (sb_publishable_… or the anon key). "
                    + "Secret and service-role keys are for servers: do not ship them.")
        }
    }

    /// The unverified role of a token: the gateway verifies it.
    private static func role(of text: String) -> ReceivedText? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // A JWS: HEADER.PAYLOAD.SIGNATURE, each in base64url (RFC 7515, section 7.1).
        guard parts.count == 3,
            let payload = try? Base64URL.decode(String(decoding: parts[1], as: UTF8.self))
        else { return nil }
        return (try? JSONDocument(payload))?.root.member("role")?.text
    }

    private static func refusal(_ message: ErrorMessage) -> IdentityConfigurationError {
        IdentityConfigurationError(.invalidSecret, message)
    }
}
