// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetJOSE

extension IDTokenVerifier {
    /// Whether ID tokens may be encrypted to this program (OpenID Connect Core 1.0, section 10.2).
    ///
    /// An encrypted token says nothing by itself: anyone with the published key can make it. It is
    /// decrypted first (`JWEDecrypter`), and `cty` is absent or `JWT`. What is inside must be a
    /// signed token, one layer deep. It goes through every check of ``IDTokenVerifier``, and its
    /// errors keep their codes. Copies of claims in the outer header are not read.
    public enum Decryption: Sendable {
        /// Rejects encrypted tokens (`encrypted`).
        case notOffered
        /// Accepts encrypted tokens, and tokens that are only signed.
        case offered(DecryptionKeySet)
        /// Accepts encrypted tokens alone. A token that is only signed is `notEncrypted`.
        case required(DecryptionKeySet)

        /// The keys to decrypt with, if any.
        var keys: DecryptionKeySet? {
            switch self {
            case .notOffered: nil
            case .offered(let keys), .required(let keys): keys
            }
        }

        /// The longest encrypted token whose content has at most so many bytes: base64url makes the
        /// content a third longer, and the other parts together have less than 8 KiB.
        static func maximumByteCount(around signedByteCount: Int) -> Int {
            signedByteCount / 3 * 4 + 8_192
        }

        /// The token to verify: what an encrypted token holds, or the token itself. The limit is for
        /// what an encrypted token holds. Its caller checks the result's size.
        func signedToken(
            in compact: some StringProtocol, maximumByteCount: Int
        ) throws(IdentityError) -> String {
            do {
                // Before a part of a longer text is copied.
                try CompactSerialization.checkSize(
                    compact.utf8.count,
                    maximumByteCount: keys == nil
                        ? maximumByteCount : Self.maximumByteCount(around: maximumByteCount))
            } catch {
                throw IdentityError(error)
            }
            let compact = String(compact)
            guard let keys else { return compact }
            let partCount = Self.partCount(compact)
            switch self {
            // What else is wrong with the token is said by those who read it.
            case .offered where partCount != 5: return compact
            case .required where partCount == 3:
                throw IdentityError(
                    .notEncrypted,
                    "The token is only signed, and this provider's tokens must be encrypted.")
            default: break
            }
            do {
                let inner = try keys.decrypter.decrypt(compact).innerToken()
                return String(decoding: inner, as: UTF8.self)
            } catch {
                throw IdentityError(error)
            }
        }

        /// The number of parts with dots between them: 3 of a signed token, 5 of an encrypted one.
        package static func partCount(_ compact: some StringProtocol) -> Int {
            1 + compact.utf8.count(where: { $0 == UInt8(ascii: ".") })
        }
    }
}
