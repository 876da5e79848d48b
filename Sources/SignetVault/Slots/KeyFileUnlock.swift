// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto
internal import SignetMemory
internal import SignetPlatform

/// Opens a vault with a key file: 32 raw bytes, or their base64 on one line (either alphabet, with
/// or without `=`).
///
/// The file is read each time that a slot asks for the key, and nothing of it is kept. It must be
/// readable by its owner only. **Not** checked: who the owner is, access lists, and the folders
/// above. For a pipe, which can be read only once, read the key yourself and use ``RawKeyUnlock``.
public struct KeyFileUnlock: UnlockMethod {
    /// Where the key is.
    public let path: String

    /// With a file that is there. Nothing is read yet.
    public init(path: String) { self.path = path }

    /// Makes a key file with a new random key, in base64, readable by its owner only (0600).
    ///
    /// - Throws: `alreadyExists` when the name is taken: a key is never replaced. `unavailable`
    ///   when it cannot be written.
    public static func create(at path: String) throws(StoreError) -> KeyFileUnlock {
        let text = try KeyText.encoded(.newVaultKey())
        do throws(SystemFailure) {
            try text.withExposedBytes { (bytes) throws(SystemFailure) in
                try PrivateFile.write(bytes, to: path, mode: 0o600, overwrite: false)
            }
        } catch {
            guard error.number.isNameTaken else { throw .file(error) }
            throw StoreError(.alreadyExists, "\(error.sentence) A key file is never replaced.")
        }
        return KeyFileUnlock(path: path)
    }

    /// The key in the file, for every slot of this kind.
    ///
    /// - Throws: `missingKeyFile` when there is no such file, `unavailable` when it cannot be read,
    ///   `insecureFile` when its group or others may read or write it, `invalidValue` when it holds
    ///   something else than a key.
    public func keyEncryptionKey(for slot: KeySlot) throws(StoreError) -> SecretKey? {
        slot.kind == .rawKey ? try read() : nil
    }

    /// A slot for the key in the file.
    ///
    /// - Throws: as ``keyEncryptionKey(for:)``.
    public func newSlot(id: [UInt8], vaultID: [UInt8]) throws(StoreError) -> NewKeySlot {
        NewKeySlot(kind: .rawKey, parameters: [], keyEncryptionKey: try read())
    }

    private func read() throws(StoreError) -> SecretKey {
        try KeyText.read(path: path, name: "key file", isKeyFile: true)
    }
}
