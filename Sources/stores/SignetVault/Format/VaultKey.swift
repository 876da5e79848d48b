// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto
internal import SignetMemory

/// A key that seals records of a vault, with its name in that vault. A record opens only with the
/// kind, subject and generation that it was sealed with (``AssociatedData``), so a record that was
/// moved or is old does not open in place of a different one:
///
///     let sealed = try key.seal(plaintext, as: .state, subject: Span(), generation: 7)
///     let opened = try key.open(sealed.span, as: .state, subject: Span(), generation: 7)
///
/// The kind is the table's (``RecordKind``), the subject names the row, and the generation is the
/// number of the write.
package final class VaultKey: Sendable {
    package let key: SecretKey
    /// The key's name, kid: 16 octets, zeros for the key of a slot.
    package let id: [UInt8]
    /// The associated data without kind, subject and generation.
    private let template: [UInt8]

    /// - Parameter isAnonymous: the key of a slot, which has no name.
    package init(_ key: SecretKey, vaultID: [UInt8], isAnonymous: Bool = false) throws(StoreError) {
        guard key.byteCount == VaultFormat.keyByteCount else {
            throw StoreError(
                .invalidParameter, "A vault's key has \(VaultFormat.keyByteCount) bytes.")
        }
        try VaultFormat.requireVaultID(vaultID)
        self.key = key
        id =
            isAnonymous
            ? [UInt8](repeating: 0, count: VaultFormat.keyIDByteCount)
            : try Self.identifier(of: key, vaultID: vaultID)
        template = AssociatedData.template(vaultID: vaultID, keyID: id)
    }

    /// kid: identifies the key without revealing anything about it.
    package static func identifier(of key: SecretKey, vaultID: [UInt8]) throws(StoreError)
        -> [UInt8]
    {
        try derive(key, label: "SIGNETV1 kid", context: vaultID, count: VaultFormat.keyIDByteCount)
            .withExposedBytes { $0.copied() }
    }

    /// Derives `count` octets: E(key, label ‖ context, count) of Documentation/VAULT-FORMAT.md.
    package static func derive(
        _ key: SecretKey, label: String, context rest: [UInt8], count: Int
    ) throws(StoreError) -> SecretKey {
        return try StoreError.translatingErrors { () throws(CryptographyError) in
            try KeyDerivation.hkdfExpand(key, info: Array(label.utf8) + rest, byteCount: count)
        }
    }

    /// Seals a record: nonce, ciphertext, tag.
    ///
    /// - Parameters:
    ///   - subject: at most 32 octets, such as an item's id.
    ///   - nonce: for known-answer tests only; nil takes a random nonce.
    package func seal(
        _ plaintext: Span<UInt8>, as kind: RecordKind, subject: Span<UInt8>, generation: UInt64,
        nonce: [UInt8]? = nil
    ) throws(StoreError) -> [UInt8] {
        guard
            let data = AssociatedData.make(
                template, kind: kind, subject: subject, generation: generation)
        else {
            throw StoreError(
                .invalidParameter,
                "The subject of a sealed record has \(subject.count) bytes, more than 32.")
        }
        return try StoreError.translatingErrors { () throws(CryptographyError) in
            try XAES256GCM.seal(span: plaintext, using: key, nonce: nonce, authenticating: data)
        }
    }

    /// Opens a record into memory that is wiped.
    ///
    /// - Throws: `corrupt` if it is not the record that was sealed for this very place.
    package func open(
        _ sealed: Span<UInt8>, as kind: RecordKind, subject: Span<UInt8>, generation: UInt64
    ) throws(StoreError) -> SecretKey {
        guard
            let data = AssociatedData.make(
                template, kind: kind, subject: subject, generation: generation)
        else {
            throw .damaged(
                kind.place, problem: "its subject has \(subject.count) bytes, more than 32")
        }
        do {
            return try XAES256GCM.openSecret(span: sealed, using: key, authenticating: data)
        } catch {
            guard error.code == .authenticationFailure else { throw .library(error) }
            throw .damaged(kind.place, problem: "it was changed, or put where another one was")
        }
    }

    /// Seals a text with its padding: a value.
    package func sealPadded(
        _ text: Span<UInt8>, as kind: RecordKind, subject: Span<UInt8>, generation: UInt64,
        nonce: [UInt8]? = nil
    ) throws(StoreError) -> [UInt8] {
        let padded = try Padding.pad(text)
        return try padded.withExposedBytes { (bytes) throws(StoreError) in
            try seal(bytes, as: kind, subject: subject, generation: generation, nonce: nonce)
        }
    }

    /// Opens a padded text: a value.
    package func openPadded(
        _ sealed: Span<UInt8>, as kind: RecordKind, subject: Span<UInt8>, generation: UInt64
    ) throws(StoreError) -> SecretKey {
        let padded = try open(sealed, as: kind, subject: subject, generation: generation)
        let text: SecretKey? = padded.withExposedBytes { bytes in
            Padding.range(ofTextIn: bytes).map { SecretKey(copying: bytes.extracting($0)) }
        }
        guard let text else {
            throw .damaged(kind.place, problem: "its padding is not as it is written")
        }
        return text
    }
}
