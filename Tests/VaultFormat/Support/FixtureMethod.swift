// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetVault
import TestSupport

/// How a fixture is unlocked, as the manifest writes it.
struct FixtureMethod: Decodable {
    var rawKey: String?
    var passphrase: String?
    var secretService: String?
    var external: String?
    var key: String?
    var needs: String?

    /// Whether this machine's libcrypto has what it needs.
    var isSupported: Bool { needs != "Argon2id" || KeyDerivation.isArgon2idAvailable }

    var method: any UnlockMethod {
        if let passphrase { return TestPassphrase(octets: Array(passphrase.utf8)) }
        if let external, let key {
            return MaskedKey(name: Array(external.utf8), key: bytes(key))
        }
        if let secretService { return TestKey(kind: .secretService, octets: bytes(secretService)) }
        return TestKey(kind: .rawKey, octets: bytes(rawKey ?? ""))
    }
}

/// 32 octets for slots of one kind.
struct TestKey: UnlockMethod {
    let kind: KeySlot.Kind
    let octets: [UInt8]

    func keyEncryptionKey(for slot: KeySlot) throws(StoreError) -> SecretKey? {
        slot.kind == kind ? SecretKey(copying: octets) : nil
    }

    func newSlot(id: [UInt8], vaultID: [UInt8]) throws(StoreError) -> NewKeySlot {
        NewKeySlot(kind: kind, parameters: [], keyEncryptionKey: SecretKey(copying: octets))
    }
}

/// A stand-in for a service that wraps keys: XOR with a mask, as signetv1.py does it.
struct MaskedKey: UnlockMethod {
    let name: [UInt8]
    let key: [UInt8]

    func keyEncryptionKey(for slot: KeySlot) throws(StoreError) -> SecretKey? {
        guard slot.kind == .external, slot.parameters.suffix(32).count == 32 else { return nil }
        return SecretKey(copying: slot.parameters.suffix(32).map { $0 ^ 0x5a })
    }

    func newSlot(id: [UInt8], vaultID: [UInt8]) throws(StoreError) -> NewKeySlot {
        NewKeySlot(
            kind: .external, parameters: lengthPrefixed(name) + lengthPrefixed(key.map { $0 ^ 0x5a }),
            keyEncryptionKey: SecretKey(copying: key))
    }

    private func lengthPrefixed(_ octets: [UInt8]) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: octets.count >> $0) } + octets
    }
}
