// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto
internal import SignetMemory
internal import SignetPlatform

/// Opens a vault with a key file: 32 raw bytes, or their base64 on one line (either alphabet, with
/// or without `=`).
///
/// The file is read each time that a slot needs the key, and nothing of it is kept. Only its owner
/// may have access. **Not** checked: who the owner is, access lists, and the folders above. A pipe
/// can be read only once: read the key yourself and use ``RawKeyUnlock``.
public struct KeyFileUnlock: UnlockMethod {
    /// The path of the key file.
    public let path: String

    /// Uses an existing file, which is not read yet.
    public init(path: String) { self.path = path }

    /// Creates a key file with a new random key, in base64, readable only by its owner (0600).
    ///
    /// - Throws: `alreadyExists` if the name is taken, because a key is never replaced;
    ///   `unavailable` if it cannot be written.
    public static func create(at path: String) throws(StoreError) -> KeyFileUnlock {
        let text = try KeyText.encoded(.newVaultKey())
        do throws(SystemFailure) {
            try text.withExposedBytes { (bytes) throws(SystemFailure) in
                try PrivateFile.write(bytes, to: path, mode: 0o600, overwrite: false)
            }
        } catch {
            guard error.number.isNameTaken else { throw .file(error) }
            throw StoreError(.alreadyExists, "\(sentence: error) A key file is never replaced.")
        }
        return KeyFileUnlock(path: path)
    }

    /// The key in the file, for every slot of this kind.
    ///
    /// - Throws: `missingKeyFile` if there is no such file, `unavailable` if it cannot be read,
    ///   `insecureFile` if its group or others may read or write it, `invalidValue` if it does not
    ///   hold a key.
    public func keyEncryptionKey(for slot: KeySlot) throws(StoreError) -> SecretKey? {
        slot.kind == .rawKey ? try read() : nil
    }

    /// A slot for the key in the file. Throws the errors of ``keyEncryptionKey(for:)``.
    public func newSlot(id: [UInt8], vaultID: [UInt8]) throws(StoreError) -> NewKeySlot {
        NewKeySlot(kind: .rawKey, parameters: [], keyEncryptionKey: try read())
    }

    private func read() throws(StoreError) -> SecretKey {
        try KeyText.read(path: path, name: "key file", isKeyFile: true)
    }
}
