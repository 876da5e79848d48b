// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetSecretService
import SignetVault

/// Several processes that make the first item, and with it the sealing key, at the same moment.
enum Racing {
    static let rounds = 12
    static let racers = 3

    static func run() async throws {
        try await Daemon.start()
        let beginning = ItemTime.now + 1500
        let children = try (0..<racers).map {
            try Child.worker(["racer", String($0), String(beginning)])
        }
        for child in children {
            child.waitUntilExit()
            try check(child.terminationStatus == 0, "a racer failed")
        }
        for round in 0..<rounds {
            let application = "race-\(round)"
            let store = try makeStore(application: application)
            // What each wrote is there, whichever key sealed it.
            for racer in 0..<racers {
                let own = try await store.entry(ItemKey(service: "own", account: "\(racer)"))
                try checkEqual(own?.value, SecretValue("\(racer)"), "round \(round)")
            }
            // The item that all of them wrote exists once, with one writer's value.
            let shared = try await store.entry(ItemKey(service: "shared", account: "all"))
            try check(
                (0..<racers).contains { shared?.value == SecretValue("\($0)") },
                "round \(round): nobody's value")
            try checkEqual(try await store.allItems().count, racers + 1)
            // The next write leaves one copy.
            try await store.set(
                SecretValue("last"), for: ItemKey(service: "shared", account: "all"), details: nil)
            let raw = try await Raw.search([
                "signet:kind": "item", "signet:application": application,
            ])
            try checkEqual(raw.count, racers + 1)
            let keys = try await Raw.search([
                "signet:kind": "key", "signet:application": application,
            ])
            // One of them made it, and the others waited.
            try checkEqual(keys.count, 1, "round \(round): sealing keys")
        }
    }

    static func racer() async throws {
        guard CommandLine.arguments.count == 4, let beginning = UInt64(CommandLine.arguments[3])
        else {
            throw Failed(description: "arguments")
        }
        let number = CommandLine.arguments[2]
        for round in 0..<rounds {
            let store = try makeStore(application: "race-\(round)")
            while ItemTime.now < beginning + UInt64(round) * 400 { try await pause(0.0005) }
            try await store.set(
                SecretValue(number), for: ItemKey(service: "own", account: number), details: nil)
            try await store.set(
                SecretValue(number), for: ItemKey(service: "shared", account: "all"), details: nil)
            // A process finds its own write at once, even when another one has made a key
            // meanwhile.
            let own = try await store.entry(ItemKey(service: "own", account: number))
            try checkEqual(own?.value, SecretValue(number))
            // While others make keys, write and remove, absent items are absent, and no key is
            // lost.
            let passing = ItemKey(service: "passing", account: number)
            for _ in 0..<3 {
                try check(try await store.entry(passing) == nil, "not absent")
                try await store.set(SecretValue(number), for: passing, details: nil)
                try check(try await store.remove(passing), "not there")
                try check(try await !store.remove(passing), "still there")
            }
        }
    }
}

extension ItemTime {
    /// The system's, as these programs race at a real keyring.
    static var now: UInt64 { UInt64(max(Date().timeIntervalSince1970, 0) * 1000) }
}
