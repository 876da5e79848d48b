// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto
internal import SignetMemory
internal import SignetPlatform

/// A key of 32 bytes in its file form, which is one of
/// - 32 bytes, the key;
/// - 43 characters of base64 or base64url, with or without a `=`, with or without a line end (LF or
///   CR LF), as `openssl rand -base64 32` prints it.
package enum KeyText {
    /// More bytes than a key has, so that the message about a file without a key can say what the
    /// file looks like (``InputShape``).
    package static let maximumByteCount = 4_096
    private static let rawByteCount = VaultFormat.keyByteCount

    /// Reads a key from a file, through memory that is wiped.
    ///
    /// - Parameters:
    ///   - name: the file's name in messages.
    ///   - isKeyFile: whether a person keeps it; a missing file then has its own code.
    static func read(path: String, name: String, isKeyFile: Bool) throws(StoreError) -> SecretKey {
        let contents: PrivateFile.SecretContents
        do throws(SystemFailure) {
            contents = try PrivateFile.readSecret(path: path, maximumByteCount: maximumByteCount)
        } catch {
            if isKeyFile, error.number.isMissing { throw .missingKeyFile(path) }
            guard error.number.isTooLarge else { throw .file(error) }
            throw StoreError(.invalidValue, notAKey("The \(shown: name)", shape: nil))
        }
        let key = contents.bytes.withBytes { decoded($0) }
        // Checked before the mode: a file without a key may be another program's, whose mode is
        // right for it.
        guard let key else {
            throw StoreError(
                .invalidValue,
                notAKey(
                    "The \(shown: name)", shape: contents.bytes.withBytes { InputShape(of: $0) }))
        }
        if isKeyFile, contents.isOpenToOthers {
            throw StoreError(
                .insecureFile,
                "Others than the owner may read or write the \(shown: name): chmod 600 "
                    + "\(path: path). If they have, replace the key where it unlocks something, "
                    + "and keep this file until then.")
        }
        guard !isOneByteRepeated(key) else {
            throw StoreError(
                .invalidValue,
                "The \(shown: name) holds one byte 32 times over, which is not a key.")
        }
        return key
    }

    /// The key as text: base64 with its `=` and a line end, as `openssl rand -base64 32` prints it
    /// and `base64 -d` reads it.
    package static func encoded(_ key: SecretKey) throws(StoreError) -> SecretBytes {
        guard key.byteCount == rawByteCount else {
            throw StoreError(.invalidValue, "A key has 32 bytes.")
        }
        return SecretBytes(
            storage: key.withExposedBytes { Base64.standard.encodeSecret($0, before: "=\n") })
    }

    /// The key; nil if the text is not a key.
    package static func decoded(_ text: Span<UInt8>) -> SecretKey? {
        if text.count == rawByteCount { return SecretKey(copying: text) }
        var count = text.count
        if count > 0, text[count - 1] == UInt8(ascii: "\n") {
            count -= 1
            if count > 0, text[count - 1] == UInt8(ascii: "\r") { count -= 1 }
        }
        if count == 44, text[43] == UInt8(ascii: "=") { count = 43 }
        guard count == 43 else { return nil }
        let characters = text.extracting(0..<count)
        let bytes =
            Base64.standard.decodeSecret(characters) ?? Base64.url.decodeSecret(characters)
        return bytes.map { SecretKey(storage: $0) }
    }

    /// Whether a key cannot be random: from an empty disk, or a file that was not written
    /// completely.
    package static func isOneByteRepeated(_ key: SecretKey) -> Bool {
        key.withExposedBytes { bytes in bytes.indices.allSatisfy { bytes[$0] == bytes[0] } }
    }

    /// The message about a file that holds no key, and what the file looks like.
    ///
    /// - Parameter subject: the file, as the subject of a sentence.
    package static func notAKey(_ subject: ErrorMessage, shape: InputShape?) -> ErrorMessage {
        let wanted: ErrorMessage =
            "\(subject) does not hold a key: 32 raw bytes, or their base64 on one line."
        switch shape {
        // A key may have this form too, so the form explains nothing.
        case nil, .otherBase64, .padding: return wanted
        case let shape?: return "\(wanted) \(shape.sentence(about: "It"))"
        }
    }
}
