// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetSecretService
import SignetVault

/// The keyring where there is one, else a vault, and never the other one later.
enum Deciding {
    private static let key = ItemKey(service: "s", account: "a")
    private static let raw = RawKeyUnlock(SecretKey(copying: [UInt8](repeating: 7, count: 32)))

    private static func path(_ name: String) -> String {
        (ProcessInfo.processInfo.environment["HOME"] ?? "") + "/" + name
    }

    private static func open(
        _ name: String, alias: String = "login", seconds: Int = 600
    ) async throws -> any SecureStore {
        var options = SecretServiceOptions(application: "org.example.deciding")
        options.collection = alias
        options.deadlineSeconds = seconds
        return try await KeyringOrVault.open(options, path: path(name)) { () throws(StoreError) in
            raw
        }
    }

    private static func isNote(_ name: String) -> Bool {
        ((try? Data(contentsOf: URL(fileURLWithPath: path(name))))?.count ?? 0) == 82
    }

    private static func isNothing(_ name: String) -> Bool {
        !FileManager.default.fileExists(atPath: path(name))
    }

    /// Without a bus, or without a service on it: a vault, which stays when a keyring comes.
    static func withoutKeyring() async throws {
        let vault = try await open("vault")
        try check(vault is FileVault, "\(vault)")
        try await vault.set("in the vault", for: key)
        (vault as? FileVault)?.close()
        let again = try await open("vault")
        try check(again is FileVault, "\(again)")
        try checkEqual(try await again.get(key)?.string(), "in the vault")
    }

    static func run() async throws {
        try await withoutKeyring()
        let daemon = try await Daemon.start()
        let vault = try await open("vault")
        try check(vault is FileVault, "the vault was forgotten when a keyring came")
        try checkEqual(try await vault.get(key)?.string(), "in the vault")

        let keyring = try await open("note")
        try check(keyring is SecretServiceStore, "\(keyring)")
        try check(isNote("note"), "no note")
        try await keyring.set("in the keyring", for: key)
        try await expect(.invalidParameter) { try await open("note", alias: "session") }

        // Of many at once, all decide the same.
        let kinds = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 { group.addTask { try await open("race") is SecretServiceStore } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        try checkEqual(kinds, [Bool](repeating: true, count: 8))

        // The keyring exists but is slow, or lacks the collection: nothing is decided or made.
        daemon.stop()
        try await expect(.timedOut) { try await open("slow", seconds: 2) }
        daemon.signal(SIGCONT)
        try await expect(.unavailable) { try await open("nosuch", alias: "nosuch") }
        for name in ["slow", "nosuch"] { try check(isNothing(name), name) }

        // A locked keyring exists.
        try await keyring.lock()
        let locked = try await open("locked")
        try check(locked is SecretServiceStore && isNote("locked"), "\(locked)")
        try await expect(.locked) { try await locked.set("x", for: key) }

        // What has the name and is neither is an error.
        try Data("something else".utf8).write(to: URL(fileURLWithPath: path("other")))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: path("other"))
        try await expect(.notAVault) { try await open("other") }

        // The keyring is gone while it holds items: an error, and no vault replaces it.
        try await daemon.end()
        let without = try await open("note")
        try check(without is SecretServiceStore && isNote("note"), "\(without)")
        try await expect(.unavailable) { try await without.get(key) }
        try await Daemon.start()
        try checkEqual(try await open("note").get(key)?.string(), "in the keyring")
    }
}
