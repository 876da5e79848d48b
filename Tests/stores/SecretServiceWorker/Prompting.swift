// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSecretService
import SignetVault
import Synchronization

/// Which calls ask a person, and which do not (review S5). KeePassXC, which asks more often, was
/// tried by hand.
enum Prompting {
    static func run() async throws {
        try await Daemon.start()
        let prompts = Mutex(0)
        let store = try makeStore { $0.promptNotice = { prompts.withLock { $0 += 1 } } }
        for text in ["x", "y", "z"] {
            try await store.set(SecretValue(text), for: Locking.key, details: nil)
        }
        try checkEqual(try await store.entry(Locking.key)?.value, SecretValue("z"))
        try checkEqual(
            try await Raw.search(["signet:kind": "item"]).map(\.label),
            ["org.example.signet-test: s"])
        try checkEqual(prompts.withLock { $0 }, 0)
        try await store.lock()
        // No prompt can be shown here.
        try await expect(.locked) { try await store.unlock() }
        try checkEqual(prompts.withLock { $0 }, 1)
    }
}
