// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetVault

/// A passphrase, derived here by what the document says, so that the fixtures do not depend on the vault's own methods.
/// New slots are scrypt's at the least cost.
struct TestPassphrase: UnlockMethod {
    let octets: [UInt8]

    func keyEncryptionKey(for slot: KeySlot) throws(StoreError) -> SecretKey? {
        let salt = slot.parameters.prefix(32)
        let figures = Array(slot.parameters.dropFirst(32))
        let password = SecretBytes(copying: octets)
        do {
            switch slot.kind {
            case .scrypt:
                return try KeyDerivation.scrypt(password: password, salt: salt, cost: 1 << Int(figures[0]))
            case .argon2id:
                return try KeyDerivation.argon2id(
                    password: password, salt: salt, memoryKiB: number(figures[0..<4]),
                    passes: number(figures[4..<8]), lanes: number(figures[8..<12]))
            case .pbkdf2:
                return try KeyDerivation.pbkdf2(
                    password: password, salt: salt, iterations: number(figures[0..<4]), byteCount: 32)
            default: return nil
            }
        } catch {
            // As a method would that cannot: the vault goes on with the next slot.
            if error.code == .unsupported { return nil }
            throw StoreError(.unavailable, "\(error)")
        }
    }

    func newSlot(id: [UInt8], vaultID: [UInt8]) throws(StoreError) -> NewKeySlot {
        let parameters = id + id + [10, 0, 0, 0, 8, 0, 0, 0, 1]
        let slot = KeySlot(id: id, vaultID: vaultID, kind: .scrypt, parameters: parameters)
        guard let key = try keyEncryptionKey(for: slot) else { throw StoreError(.unsupported, "scrypt") }
        return NewKeySlot(kind: .scrypt, parameters: parameters, keyEncryptionKey: key)
    }

    private func number(_ octets: ArraySlice<UInt8>) -> Int { octets.reduce(0) { $0 << 8 | Int($1) } }
}
