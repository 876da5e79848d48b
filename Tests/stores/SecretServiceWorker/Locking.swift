// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetSecretService
import SignetVault

/// Locked is never taken for absent.
enum Locking {
    static let key = ItemKey(service: "s", account: "a")
    static let absent = ItemKey(service: "s", account: "nobody")

    static func lock() async throws {
        try await Daemon.start()
        let (store, other) = (try makeStore { $0.promptSeconds = 600 }, try makeStore())
        let inMemory = try makeStore("session")
        try await store.set(SecretValue("x"), for: key, details: nil)
        try await inMemory.set(SecretValue("m"), for: key, details: nil)
        try check(try await !other.isLocked(), "locked from the start")
        try await store.lock()
        try await store.lock()
        for closed in [store, other] { try await everythingIsLocked(closed) }
        // Values already in memory are not affected by that lock.
        try checkEqual(try await inMemory.entry(key)?.value, SecretValue("m"))
        try check(try await inMemory.entry(absent) == nil, "found")
        let cautious = try makeStore("session") { $0.absence = .noCollectionLocked }
        try checkEqual(try await cautious.entry(key)?.value, SecretValue("m"))
        try await expect(.locked) { try await cautious.entry(absent) }
        // A store that was never used here says the same of a lock.
        try await everythingIsLocked(try makeStore(application: "org.example.new"))
        // Nothing here can show a prompt.
        try await expect(.locked) { try await store.unlock() }
        try await everythingIsLocked(store)
        try await inMemory.lock()
        try check(try await inMemory.isLocked(), "not locked")
        try await expect(.locked) { try await inMemory.entry(key) }
        try await inMemory.unlock()
        try checkEqual(try await inMemory.entry(key)?.value, SecretValue("m"))
    }

    static func everythingIsLocked(_ store: SecretServiceStore) async throws {
        try check(try await store.isLocked(), "not locked")
        try await expect(.locked) { try await store.entry(key) }
        try await expect(.locked) { try await store.item(absent) }
        try await expect(.locked) { try await store.set(SecretValue("y"), for: key, details: nil) }
        try await expect(.locked) {
            try await store.replace(SecretValue("y"), for: absent, details: nil, ifRevision: nil)
        }
        try await expect(.locked) { try await store.remove(key) }
        try await expect(.locked) { try await store.remove(absent) }
        try await expect(.locked) {
            try await store.list(service: "s", itemClass: nil, accessGroup: "")
        }
        try await expect(.locked) {
            try await store.clear(service: "s", itemClass: nil, accessGroup: "")
        }
        try await expect(.locked) { try await store.allItems() }
    }

    /// Only the scenario starts a daemon.
    static func restart() async throws {
        let first = try await Daemon.start()
        let store = try makeStore()
        try await store.set(SecretValue("x"), for: key, details: nil)
        try await first.end(SIGTERM)
        try await expect(.unavailable) { try await store.entry(key) }

        let second = try await Daemon.start(isUnlocked: false)
        try await everythingIsLocked(store)
        try await everythingIsLocked(try makeStore())
        try await second.end()

        try await Daemon.start()
        try checkEqual(try await store.entry(key)?.value, SecretValue("x"))
        try check(try await store.entry(absent) == nil, "found")
        try await store.set(SecretValue("y"), for: key, details: nil)
        try checkEqual(try await store.entry(key)?.value, SecretValue("y"))
        try checkEqual(try await Raw.search(["signet:kind": "key"]).count, 1)
    }

    /// The bus starts a daemon by itself, which is locked.
    static func restartByBus() async throws {
        let first = try await Daemon.start()
        let store = try makeStore()
        try await store.set(SecretValue("x"), for: key, details: nil)
        // Only now: earlier, the bus would have started its own daemon while ours was starting. It
        // looks again for a name that it does not know.
        let environment = ProcessInfo.processInfo.environment
        let folder = environment["SIGNET_BUS_SERVICES"] ?? ""
        let daemon = environment["SIGNET_KEYRING"] ?? ""
        // The shell writes down its process number, which becomes the daemon's, so that the tests
        // can end it.
        try "echo $$ >>\"$HOME/daemons\"; exec \"\(daemon)\" --foreground --components=secrets\n"
            .write(toFile: folder + "/start.sh", atomically: true, encoding: .utf8)
        try "[D-BUS Service]\nName=org.freedesktop.secrets\nExec=/bin/sh \(folder)/start.sh\n"
            .write(toFile: folder + "/secrets.service", atomically: true, encoding: .utf8)
        try await first.end()
        try await everythingIsLocked(store)
    }
}
