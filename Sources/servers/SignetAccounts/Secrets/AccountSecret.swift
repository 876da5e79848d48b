// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

/// The application's key, kept apart from the database: without it a copied table of codes, limits
/// and messages is worthless. Keep it in a vault, and give all servers the same key.
///
/// Codes and the names of limits are HMACs under it; waiting messages and keys of second factors
/// are sealed under it, which means encrypted and protected against changes:
///
///     let name = try secret.code("code asker", over: [destination, address])
///     let sealed = try secret.seal(key, label: "factor", bound: [user])
///     let key = try secret.open(sealed, label: "factor", bound: [user])  // of no other user
///
/// The label names the use. For sealing, each label has a key of its own, derived from this key.
public struct AccountSecret: Sendable, Redacted {
    private static let minimumKeyByteCount = 32

    private let key: SecretKey
    private let previous: [SecretKey]

    /// A secret.
    ///
    /// - Parameters:
    ///   - key: at least 32 random bytes.
    ///   - previous: keys that were used before. They still open what they sealed: keep a key until
    ///     the signing keys were exchanged, and the second factors of its time set up again. With a
    ///     new key, codes that are under way end, and limits start again. Give several servers the
    ///     new key first here, and then as `key`: otherwise a server cannot open what a server with
    ///     the new key has sealed.
    /// - Throws: `invalidParameter` for a shorter key.
    public init(_ key: SecretKey, previous: [SecretKey] = []) throws(AccountError) {
        guard ([key] + previous).allSatisfy({ $0.byteCount >= Self.minimumKeyByteCount }) else {
            throw AccountError(
                .invalidParameter,
                "The key of an account secret has at least \(Self.minimumKeyByteCount) bytes.")
        }
        self.key = key
        self.previous = previous
    }

    /// HMAC-SHA-256 of the label and the fields. No two lists of fields give the same input: each
    /// field follows its length.
    package func code(
        _ label: StaticString, over fields: [[UInt8]]
    ) throws(AccountError) -> [UInt8] {
        do {
            return try MACKey(key, hash: .sha256)
                .authenticationCode(for: Self.joined(label, fields: fields))
        } catch { throw .crypto(error) }
    }

    /// Seals bytes for the use that the label names. The fields that they are bound to must be the
    /// same when they are opened.
    func seal(
        _ bytes: [UInt8], label: StaticString, bound: [[UInt8]]
    ) throws(AccountError) -> [UInt8] {
        do {
            return try XAES256GCM.seal(
                bytes, using: try sealingKey(key, label: label),
                authenticating: Self.joined(label, fields: bound))
        } catch { throw .crypto(error) }
    }

    /// Opens what ``seal(_:label:bound:)`` made under the present key or an earlier key.
    ///
    /// - Throws: `corrupt` if none of the keys opens it.
    func open(
        _ sealed: [UInt8], label: StaticString, bound: [[UInt8]]
    ) throws(AccountError) -> [UInt8] {
        for key in [key] + previous {
            do {
                return try XAES256GCM.open(
                    sealed, using: try sealingKey(key, label: label),
                    authenticating: Self.joined(label, fields: bound))
            } catch {
                guard error.code == .authenticationFailure else { throw .crypto(error) }
            }
        }
        throw AccountError(
            .corrupt,
            "A sealed value of the database was changed, or sealed under a key that is not given "
                + "to AccountSecret.")
    }

    private func sealingKey(
        _ key: SecretKey, label: StaticString
    ) throws(CryptographyError) -> SecretKey {
        try KeyDerivation.hkdf(
            key, info: Array("signet accounts seal ".utf8) + Array(label.description.utf8),
            byteCount: 32)
    }

    /// The label and the fields, each after its length, so that "ab", "c" differs from "a", "bc".
    private static func joined(_ label: StaticString, fields: [[UInt8]]) -> [UInt8] {
        ([Array(label.description.utf8)] + fields).flatMap { field in
            UInt64(field.count).bigEndianBytes + field
        }
    }
}
