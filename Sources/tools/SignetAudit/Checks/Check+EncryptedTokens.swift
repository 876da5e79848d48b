// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension Check {
    /// A compact JWE under a key. An accepted token must no longer open with one bit of its tag
    /// changed.
    ///
    /// - Parameters:
    ///   - algorithm: what the key is bound to. A name that Signet does not know leaves that to the
    ///     key, which may name no algorithm either.
    ///   - plaintext: nil if the publisher gives none.
    static func encryptedToken(
        _ token: String, key: [UInt8], algorithm: String, plaintext: [UInt8]?
    ) -> Body {
        {
            let decrypter: JWEDecrypter
            do throws(KeyError) {
                decrypter = JWEDecrypter(
                    key: try DecryptionKey(
                        jwk: JWK(key), algorithm: KeyManagementAlgorithm(name: algorithm)))
            } catch {
                return AuditObservation(error)
            }
            do throws(TokenError) {
                let opened = try decrypter.decrypt(token)
                if let plaintext, opened.payload != plaintext {
                    return .differed("another plaintext came out")
                }
            } catch {
                return AuditObservation(error)
            }
            guard let altered = tokenWithAlteredTag(token) else {
                return .differed("a token without a tag was opened")
            }
            do throws(TokenError) {
                _ = try decrypter.decrypt(altered)
                return .differed("a changed tag was accepted")
            } catch {
                return error.code == .decryptionFailed
                    ? .accepted : .differed("a changed tag: \(error)")
            }
        }
    }

    private static func tokenWithAlteredTag(_ token: String) -> String? {
        var parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard let last = parts.popLast(), let tag = try? Base64URL.decode(last), !tag.isEmpty
        else { return nil }
        return (parts + [Base64URL.encode(tag.altered)]).joined(separator: ".")
    }
}
