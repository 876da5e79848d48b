// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// A short tag that stands for a person in the log: the same for the same person, and nobody can tell whose it is without the key.
package struct SubjectTag: Sendable {
    private let key: MACKey

    init(key: SecretKey) throws(CryptoError) { self.key = try MACKey(key, hash: .sha256) }

    /// 48 bits of HMAC-SHA-256 over issuer and subject, which are kept apart by a character that neither has.
    func text(issuer: String, subject: String) -> String {
        guard let code = try? key.authenticationCode(for: Array("\(issuer)\0\(subject)".utf8))
        else {
            return "none"
        }
        return code.prefix(6).map { octet in
            let digits = String(octet, radix: 16)
            return octet < 16 ? "0" + digits : digits
        }.joined()
    }
}
