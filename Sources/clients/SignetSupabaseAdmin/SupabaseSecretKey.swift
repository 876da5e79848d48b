// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetIdentity
internal import SignetSupabase

/// A key that bypasses a project's security. Its memory is wiped when the last copy is freed.
struct SupabaseSecretKey: Sendable, Redacted {
    private let bytes: SecretKey
    private let isToken: Bool

    /// - Throws: `invalidSecret` for every other key, such as a publishable one.
    init(_ secret: borrowing SecretBytes) throws(IdentityConfigurationError) {
        let expected: ErrorMessage =
            "This is not a secret key of the project: pass sb_secret_…, or the service_role key. "
            + "Publishable and anon keys are for clients (SupabaseAuth)."
        switch try ProjectKey(Self.text(secret), expected: expected) {
        case .secret: isToken = false
        case .serviceRole: isToken = true
        case .publishable: throw IdentityConfigurationError(.invalidSecret, expected)
        }
        bytes = secret.withExposedBytes { SecretKey(copying: $0) }
    }

    /// The field that the project's gateway reads.
    func field() throws(SupabaseError) -> TransportRequest.Field {
        do throws(IdentityConfigurationError) {
            return try TransportRequest.Field(name: "apikey", value: text)
        } catch {
            throw SupabaseError(
                .invalidInput, underlying: error, "The key cannot be sent in a header field.")
        }
    }

    /// The token that GoTrue reads: a service-role key is a token itself. The gateway puts one in place of
    /// `sb_secret_…`, which is none.
    func bearer() throws(SupabaseError) -> AccessToken? {
        do throws(SessionError) {
            return isToken ? try AccessToken(text) : nil
        } catch {
            throw SupabaseError(
                .invalidInput, underlying: error, "The key cannot be sent as a token.")
        }
    }

    private var text: String {
        bytes.withExposedBytes { span in
            String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
        }
    }

    private static func text(_ secret: borrowing SecretBytes) -> String {
        secret.withExposedBytes { span in
            String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
        }
    }
}
