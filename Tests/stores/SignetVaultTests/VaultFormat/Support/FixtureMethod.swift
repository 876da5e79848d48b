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
        if let passphrase { return PassphraseUnlock(passphrase) }
        if let external {
            // XOR with a mask stands for a service that wraps keys, as in signetv1.py.
            return ExternalKeyUnlock(
                name: external, wrap: { Self.masked($0.octets) },
                unwrap: { SecretKey(copying: Self.masked($0)) })
        }
        if let secretService { return TestKey(kind: .secretService, octets: bytes(secretService)) }
        return RawKeyUnlock(SecretKey(copying: bytes(rawKey ?? "")))
    }

    private static func masked(_ octets: [UInt8]) -> [UInt8] { octets.map { $0 ^ 0x5a } }
}

extension SecretKey {
    var octets: [UInt8] {
        withExposedBytes { (span: Span<UInt8>) -> [UInt8] in span.indices.map { span[$0] } }
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
