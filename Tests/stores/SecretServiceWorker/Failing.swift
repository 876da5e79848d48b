// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SecretServiceBridge
import SignetSecretService
import SignetVault
import Synchronization

/// Every call ends with a reason.
enum Failing {
    static let key = ItemKey(service: "s", account: "a")

    static func killedInMidCall() async throws {
        for round in 0..<3 {
            let daemon = try await Daemon.start()
            let store = try makeStore()
            try await store.set(SecretValue("\(round)"), for: key, details: nil)
            daemon.stop()
            async let read = expect(.unavailable) { try await store.entry(key) }
            async let write = expect(.unavailable) {
                try await store.set(SecretValue("x"), for: key, details: nil)
            }
            try await pause(0.3)
            try await daemon.end()
            _ = try await (read, write)
        }
        try await Daemon.start()
        try checkEqual(try await makeStore().entry(key)?.value, SecretValue("2"))
    }

    /// Run without a bus.
    static func noBus() async throws {
        let store = try makeStore()
        let taken = try await expect(.unavailable) { try await store.entry(key) }
        try await expect(.unavailable) {
            try await store.set(SecretValue("x"), for: key, details: nil)
        }
        try await expect(.unavailable) { try await store.isLocked() }
        try await expect(.unavailable) { try await store.unlock() }
        try await expect(.unavailable) {
            try await store.list(service: "s", itemClass: nil, accessGroup: "")
        }
        print("no bus: \(taken) s")
    }

    static func noService() async throws {
        let store = try makeStore()
        try await expect(.unavailable) { try await store.entry(key) }
        try await expect(.unavailable) {
            try await store.set(SecretValue("x"), for: key, details: nil)
        }
        try await expect(.unavailable) { try await store.isLocked() }
        // A bus that appears later is found.
        try await Daemon.start()
        try check(try await store.entry(key) == nil, "found")
    }

    static func noCollection() async throws {
        // Without a password no login keyring is made, and nothing is the default.
        try await Daemon.start(isUnlocked: false)
        for alias in ["default", "login", "nosuch"] {
            let store = try makeStore(alias)
            try await expect(.unavailable) { try await store.entry(key) }
            try await expect(.unavailable) {
                try await store.set(SecretValue("x"), for: key, details: nil)
            }
            try await expect(.unavailable) { try await store.isLocked() }
        }
        // The default one is made on request, for which no one can be asked here; others are
        // not.
        let prompts = Mutex(0)
        let store = try makeStore("default") { $0.promptNotice = { prompts.withLock { $0 += 1 } } }
        try await expect(.locked) { try await store.unlock() }
        try checkEqual(prompts.withLock { $0 }, 1)
        try await expect(.unavailable) { try await makeStore("nosuch").unlock() }
        let inMemory = try makeStore("session")
        try await inMemory.set(SecretValue("m"), for: key, details: nil)
        try checkEqual(try await inMemory.entry(key)?.value, SecretValue("m"))
    }

    /// A daemon that owns the name and does not answer, stopped before the first call or later.
    static func silent() async throws {
        let daemon = try await Daemon.start()
        let quick = try makeStore { $0.deadlineSeconds = 2 }
        try await makeStore().set(SecretValue("x"), for: key, details: nil)
        for _ in 0..<2 {
            daemon.stop()
            let taken = try await expect(.timedOut) { try await quick.entry(key) }
            try check(taken > 1.9, "gave up after \(taken) s")
            try await claims(quick)
            try await expect(.timedOut) {
                try await quick.set(SecretValue("y"), for: key, details: nil)
            }
            try await waitingInTheQueue(quick)
            // A process that has not spoken to it before.
            try Child.run(["silent-first"])
            daemon.signal(SIGCONT)
            while true {
                do throws(StoreError) {
                    _ = try await quick.entry(key)
                    break
                } catch {
                    guard error.code == .timedOut else { throw error }
                }
            }
        }
        let value = try await makeStore().entry(key)?.value
        try check(
            value == SecretValue("x") || value == SecretValue("y"),
            "neither the old nor the new value")
    }

    /// Only a call that writes says that a write may have happened.
    private static func claims(_ store: SecretServiceStore) async throws {
        for writes in [false, true] {
            do throws(StoreError) {
                if writes { _ = try await store.remove(key) } else { _ = try await store.item(key) }
                throw StoreError(.unavailable, "it answered")
            } catch {
                try checkEqual(error.code, .timedOut)
                try checkEqual(error.message.contains("write"), writes)
            }
        }
    }

    /// Calls queued after one that never ends get an answer when their own deadline passes.
    private static func waitingInTheQueue(_ store: SecretServiceStore) async throws {
        let gate = DispatchSemaphore(value: 0)
        let (isHeld, held) = AsyncStream.makeStream(of: Void.self)
        let holding = Task {
            try await Raw.run { (_) throws(SecretServiceFailure) in
                held.finish()
                gate.wait()
            }
        }
        for await _ in isHeld {}
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask { _ = try await expect(.timedOut) { try await store.entry(key) } }
            }
            try await group.waitForAll()
        }
        gate.signal()
        try await holding.value
    }

    static func silentFirst() async throws {
        let quick = try makeStore { $0.deadlineSeconds = 2 }
        try await expect(.timedOut) { try await quick.entry(key) }
    }

    static func cancelled() async throws {
        let daemon = try await Daemon.start()
        let store = try makeStore()
        try await store.set(SecretValue("x"), for: key, details: nil)
        daemon.stop()
        let task = Task { try await expect(.cancelled) { try await store.entry(key) } }
        let waiting = Task { try await expect(.cancelled) { try await store.entry(key) } }
        try await pause(0.3)
        waiting.cancel()
        task.cancel()
        _ = try await (task.value, waiting.value)
        let early = Task {
            try await pause(0.05)
            _ = try await expect(.cancelled) { try await store.entry(key) }
        }
        early.cancel()
        _ = try? await early.value
        daemon.signal(SIGCONT)
        try checkEqual(try await store.entry(key)?.value, SecretValue("x"))
    }

    /// The bus itself goes away: the process stays, and a new bus at the old place is found. Run without a bus; the address
    /// is that of the one that is started here.
    static func busKilled() async throws {
        let environment = ProcessInfo.processInfo.environment
        let (folder, address) = (
            environment["XDG_RUNTIME_DIR"] ?? "", environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""
        )
        var bus = try await Self.bus(address, folder)
        var daemon = try await Daemon.start()
        let store = try makeStore()
        try await store.set(SecretValue("x"), for: key, details: nil)
        try await bus.end()
        try await expect(.unavailable) { try await store.entry(key) }
        try? await daemon.end()
        bus = try await Self.bus(address, folder)
        daemon = try await Daemon.start()
        try checkEqual(try await store.entry(key)?.value, SecretValue("x"))
        try await daemon.end()
        try await bus.end()
    }

    private static func bus(_ address: String, _ folder: String) async throws -> Child {
        try? FileManager.default.removeItem(atPath: folder + "/own-bus")
        let environment = ProcessInfo.processInfo.environment
        let child = try Child.start(
            environment["SIGNET_DBUS_DAEMON"] ?? "",
            [
                "--config-file=\(environment["SIGNET_BUS_CONFIGURATION"] ?? "")",
                "--address=\(address)",
                "--nofork",
            ])
        while !FileManager.default.fileExists(atPath: folder + "/own-bus") {
            guard kill(child.identifier, 0) == 0 else { throw Failed(description: "no bus") }
            try await pause(0.05)
        }
        return child
    }
}
