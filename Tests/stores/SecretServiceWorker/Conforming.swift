// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetSecretService
import SignetVault
import SignetVaultTesting

/// The contract of all stores, against a real keyring.
enum Conforming {
    static func run() async throws {
        try await Daemon.start()
        let key = try SecretKey.generate()
        let kinds: [(String, @Sendable () throws -> SecretServiceStore)] = [
            ("login", { try makeStore { $0.locksCollection = false } }),
            ("session", { try makeStore("session") }),
            (
                "plain attributes",
                { try makeStore("session", application: "plain") { $0.plainAttributes = true } }
            ),
            (
                "provided key",
                {
                    try makeStore("session", application: "own key") {
                        $0.sealingKey = .provided(key)
                    }
                }
            ),
        ]
        for (name, make) in kinds {
            let store = try make()
            let failures = await StoreConformance.failures(
                of: store, beside: try make(), features: features
            ) {
                try await store.unlock(providing: name == "provided key" ? key : nil)
            }
            try check(failures.isEmpty, "\(name): \(failures)")
            try checkEqual(try await store.allItems().count, 0, name)
        }
    }

    /// A batch is written item by item.
    static let features: StoreFeatures = [.exactTimes, .locking, .concurrentUpdates]
}
