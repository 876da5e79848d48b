// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetCrypto

/// Opens a vault with a key that something else wraps and unwraps (encrypts and decrypts): a key
/// management service, an HSM, a TPM's tools. With a service `kms`, for example:
/// `ExternalKeyUnlock(name: "kms 1", wrap: { try kms.wrap($0) }, unwrap: { try kms.unwrap($0) })`.
///
/// The vault has a *slot* for each way to unlock it. A new slot gets a random key of 32 bytes.
/// `wrap` turns it into the bytes that the file holds, and `unwrap` restores it. The callbacks run
/// on the thread that unlocks, and may block.
public struct ExternalKeyUnlock: UnlockMethod, CustomStringConvertible, CustomReflectable {
    /// Wraps a key for the file: 1 to 4,096 bytes.
    public typealias Wrap = @Sendable (_ key: SecretKey) throws -> [UInt8]
    /// Unwraps the key: 32 bytes.
    public typealias Unwrap = @Sendable (_ wrapped: [UInt8]) throws -> SecretKey

    /// The name of the wrapping key and its service, 1 to 128 octets, readable in the file.
    public let name: String
    private let wrap: Wrap
    private let unwrap: Unwrap

    /// Makes an unlock method from two callbacks. Slots with another name are skipped. A callback's
    /// `StoreError` reaches the caller unchanged; any other error becomes `unavailable` without its
    /// text.
    public init(name: String, wrap: @escaping Wrap, unwrap: @escaping Unwrap) {
        self.name = name
        self.wrap = wrap
        self.unwrap = unwrap
    }

    /// Unwraps the key of a slot of this name.
    ///
    /// - Returns: nil for a slot of another kind or name.
    /// - Throws: the callback's error, `invalidValue` if the key does not have 32 bytes, `corrupt`
    ///   if the slot is malformed.
    public func keyEncryptionKey(for slot: KeySlot) throws(StoreError) -> SecretKey? {
        guard slot.kind == .external else { return nil }
        guard
            case .external(let slotName, let wrapped)? = SlotParameters(
                slot.kind, parsing: slot.parameters)
        else {
            throw .damaged(RecordKind.slot.place, problem: "its parameters are out of range")
        }
        guard slotName.utf8.elementsEqual(name.utf8) else { return nil }
        let key = try Self.calling("unwrap") { try unwrap(wrapped) }
        guard key.byteCount == VaultFormat.keyByteCount else {
            throw StoreError(
                .invalidValue,
                "The callback that unwraps does not give back the \(VaultFormat.keyByteCount) bytes that were wrapped."
            )
        }
        return key
    }

    /// A slot with a new random key, wrapped.
    ///
    /// - Throws: the callback's error, `invalidParameter` unless the name has 1 to 128 octets,
    ///   `invalidValue` unless the wrapped key has 1 to 4,096 bytes.
    public func newSlot(id: [UInt8], vaultID: [UInt8]) throws(StoreError) -> NewKeySlot {
        guard SlotParameters.externalName.contains(name.utf8.count) else {
            throw StoreError(
                .invalidParameter,
                "The name of an external key has 1 to 128 bytes, not \(name.utf8.count).")
        }
        let key = try SecretKey.newVaultKey()
        let wrapped = try Self.calling("wrap") { try wrap(key) }
        guard SlotParameters.wrapped.contains(wrapped.count) else {
            throw StoreError(
                .invalidValue, "A wrapped key has 1 to 4,096 bytes, not \(wrapped.count).")
        }
        let parameters = SlotParameters.external(name: name, wrapped: wrapped)
        return NewKeySlot(kind: .external, parameters: parameters.bytes, keyEncryptionKey: key)
    }

    /// The name.
    public var description: String { "ExternalKeyUnlock(\(name))" }

    /// Only the name.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }

    /// Runs a callback, and translates its errors.
    ///
    /// - Parameter what: what the callback does, "wrap" or "unwrap", for messages.
    private static func calling<R>(_ what: String, _ body: () throws -> R) throws(StoreError) -> R {
        do {
            return try body()
        } catch let error as StoreError {
            throw error
        } catch is CancellationError {
            throw StoreError(
                .cancelled, "The callback that is to \(shown: what) the vault's key was cancelled.")
        } catch {
            throw StoreError(
                .unavailable, underlying: error,
                "The callback that is to \(shown: what) the vault's key failed. Its own error is "
                    + "the underlying one.")
        }
    }
}
