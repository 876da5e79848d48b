// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetIdentity
internal import SignetJOSE

/// A kind of a project's keys, by the form of the text. The gateway verifies the key itself.
package enum ProjectKey {
    /// `sb_publishable_…`, or a token (JWT) whose role is `anon`: a client's key, which may be
    /// published. Row-level security guards the data behind it.
    case publishable
    /// `sb_secret_…`, which bypasses that security.
    case secret
    /// A token whose role is `service_role`, which bypasses it too.
    case serviceRole

    private static let maximumByteCount = 4_096

    /// - Throws: `invalidSecret` for a text that is no key's, with the sentence that says which
    ///   keys are. The error quotes nothing of the text.
    package init(
        _ text: String, expected: ErrorMessage
    ) throws(IdentityConfigurationError) {
        guard (1...Self.maximumByteCount).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw IdentityConfigurationError(
                .invalidSecret, "The project's key is empty, too long, or has blanks around it.")
        }
        let role = Self.role(of: text)
        if Self.begins(text, with: "sb_publishable_") || role?.isEqual(to: "anon") == true {
            self = .publishable
        } else if Self.begins(text, with: "sb_secret_") {
            self = .secret
        } else if role?.isEqual(to: "service_role") == true {
            self = .serviceRole
        } else {
            throw IdentityConfigurationError(.invalidSecret, expected)
        }
    }

    /// - Throws: `invalidSecret` for every key that is not a client's.
    static func checkPublishable(_ text: String) throws(IdentityConfigurationError) {
        let expected: ErrorMessage =
            "This is not the project's publishable key (sb_publishable_… or the anon key). "
            + "Secret and service-role keys are for servers: do not ship them."
        guard case .publishable = try ProjectKey(text, expected: expected) else {
            throw IdentityConfigurationError(.invalidSecret, expected)
        }
    }

    private static func begins(_ text: String, with prefix: String) -> Bool {
        text.utf8.starts(with: prefix.utf8)
    }

    /// The unverified role of a token.
    private static func role(of text: String) -> ReceivedText? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        // A JWS: HEADER.PAYLOAD.SIGNATURE, each in base64url (RFC 7515, section 7.1).
        guard parts.count == 3,
            let payload = try? Base64URL.decode(String(decoding: parts[1], as: UTF8.self))
        else { return nil }
        return (try? JSONDocument(payload))?.root.member("role")?.text
    }
}
