// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetLogin
import TestSupport

/// A keyring in the process, which may be locked or away.
final class StubKeyring: VaultKeyring {
    enum Condition { case open, locked, away }

    private struct State {
        var condition = Condition.open
        var keys: [[UInt8]: SecretKey] = [:]
    }

    private struct Method: UnlockMethod {
        let keyring: StubKeyring

        func keyEncryptionKey(for slot: KeySlot) throws(StoreError) -> SecretKey? {
            guard slot.kind == .secretService else { return nil }
            try keyring.check()
            return keyring.state.withLock { $0.keys[slot.id] }
        }

        func newSlot(id: [UInt8], vaultID: [UInt8]) throws(StoreError) -> NewKeySlot {
            try keyring.check()
            // Any 32 bytes that no other slot has.
            let key = SecretKey(copying: id + id)
            keyring.state.withLock { $0.keys[id] = key }
            return NewKeySlot(kind: .secretService, parameters: [], keyEncryptionKey: key)
        }
    }

    private let state = Locked(State())

    var condition: Condition {
        get { state.withLock { $0.condition } }
        set { state.withLock { $0.condition = newValue } }
    }

    func loseKeys() { state.withLock { $0.keys = [:] } }

    private func check() throws(StoreError) {
        switch condition {
        case .open: break
        case .locked: throw StoreError(.locked, "The keyring is locked.")
        case .away: throw StoreError(.unavailable, "There is no session bus.")
        }
    }

    func isThere() async throws(StoreError) -> Bool { condition != .away }

    func unlockMethod(
        mayPrompt: Bool, promptNotice: @escaping @Sendable () -> Void
    ) throws(StoreError) -> any UnlockMethod { Method(keyring: self) }
}
