// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetSecretService
import SignetVault

/// A vault's key and generation in the keyring.
enum KeptKeys {
    static func unlockMethod() async throws {
        try await Daemon.start()
        let method = try SecretServiceUnlock(
            collection: "login", deadlineSeconds: 600, promptSeconds: 600)
        let vault = [UInt8](repeating: 7, count: 16)
        let (one, two) = ([UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: 16))
        let made = try method.newSlot(id: one, vaultID: vault)
        let second = try method.newSlot(id: two, vaultID: vault)
        try checkEqual(made.kind, .secretService)
        try checkEqual(made.parameters, [])
        try checkEqual(made.keyEncryptionKey.byteCount, 32)
        try check(made.keyEncryptionKey != second.keyEncryptionKey, "two slots have one key")
        func slot(_ id: [UInt8], _ kind: KeySlot.Kind = .secretService) -> KeySlot {
            KeySlot(id: id, vaultID: vault, kind: kind, parameters: [])
        }
        try checkEqual(try method.keyEncryptionKey(for: slot(one)), made.keyEncryptionKey)
        try checkEqual(try method.keyEncryptionKey(for: slot(two)), second.keyEncryptionKey)
        try checkEqual(try method.keyEncryptionKey(for: slot(one, .rawKey)), nil)
        try checkEqual(try method.keyEncryptionKey(for: slot(vault)), nil)
        try check(try method.removeKey(ofSlot: two, vaultID: vault), "it was not there")
        try check(try !method.removeKey(ofSlot: two, vaultID: vault), "it was there twice")
        try checkEqual(try method.keyEncryptionKey(for: slot(two)), nil)
        try await makeStore().lock()
        let prompting = try SecretServiceUnlock(
            collection: "login", deadlineSeconds: 600, unlocksKeyring: true, promptSeconds: 600)
        for locked in [method, prompting] {
            try await expect(.locked) { try locked.keyEncryptionKey(for: slot(one)) }
        }
        try await expect(.locked) { try method.keyEncryptionKey(for: slot(vault)) }
        try await expect(.locked) { try method.newSlot(id: vault, vaultID: vault) }
        try await expect(.locked) { try method.removeKey(ofSlot: one, vaultID: vault) }
    }

    static func anchor() async throws {
        try await Daemon.start()
        let anchor = try SecretServiceAnchor(collection: "login", deadlineSeconds: 600)
        let (one, two) = ([UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: 16))
        try checkEqual(try anchor.generation(ofVault: one), nil)
        for generation in [1, 2, 3, 2, 1, 1000, UInt64(Int64.max), 5] as [UInt64] {
            try anchor.advance(vault: one, to: generation)
        }
        try anchor.advance(vault: two, to: 4)
        try checkEqual(try anchor.generation(ofVault: one), UInt64(Int64.max))
        try checkEqual(try anchor.generation(ofVault: two), 4)
        try checkEqual(try await Raw.search(["signet:kind": "anchor"]).count, 2)
        try await makeStore().lock()
        try await expect(.locked) { try anchor.generation(ofVault: one) }
        try await expect(.locked) {
            try anchor.generation(ofVault: [UInt8](repeating: 3, count: 16))
        }
        try await expect(.locked) { try anchor.advance(vault: one, to: 6) }
    }

    /// A vault whose only key is in the keyring, and whose generation is there too.
    static func vault() async throws {
        try await Daemon.start()
        let method = try SecretServiceUnlock(collection: "login", deadlineSeconds: 600)
        let path = (ProcessInfo.processInfo.environment["HOME"] ?? "") + "/test.vault"
        let key = ItemKey(service: "s", account: "a")
        var options = VaultOptions()
        options.anchor = try SecretServiceAnchor(collection: "login", deadlineSeconds: 600)
        let vault = try FileVault.create(at: path, with: method, options: options)
        _ = try await vault.set(SecretValue("old"), for: key, details: nil)
        vault.close()
        let copy = path + ".copy"
        try FileManager.default.copyItem(atPath: path, toPath: copy)

        let again = try FileVault.open(at: path, options: options)
        try await expect(.locked) { try await again.entry(key) }
        try again.unlock(with: method)
        try checkEqual(try await again.entry(key)?.value, SecretValue("old"))
        _ = try await again.set(SecretValue("new"), for: key, details: nil)
        again.close()

        // The whole file as it was before: it opens, and the keyring notices.
        let older = try FileVault.open(at: copy, options: options)
        try await expect(.rolledBack) { try older.unlock(with: method) }
        older.close()
        let current = try FileVault.open(at: path, options: options)
        try current.unlock(with: method)
        try checkEqual(try await current.entry(key)?.value, SecretValue("new"))
        current.close()

        // A locked keyring is not a wrong key.
        let waiting = try FileVault.open(at: path, options: options)
        guard case .ready? = try waiting.unlockOffers([method]).first?.way else {
            throw Failed(description: "the keyring's slot is not offered")
        }
        try await makeStore().lock()
        guard case .unavailable(let reason)? = try waiting.unlockOffers([method]).first?.way else {
            throw Failed(description: "a locked keyring's slot is offered")
        }
        try checkEqual(reason.code, .locked)
        try await expect(.locked) { try waiting.unlock(with: method) }
        waiting.close()
    }
}
