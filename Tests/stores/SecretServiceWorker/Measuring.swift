// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SecretServiceBridge
import SignetSecretService
import SignetVault

/// How long calls take here; prints and checks nothing.
enum Measuring {
    static func run() async throws {
        try await Daemon.start()
        for alias in ["login", "session"] {
            let store = try makeStore(alias)
            let key = ItemKey(service: "measure", account: "one")
            let value = SecretValue(bytes: [UInt8](repeating: 1, count: 300))
            try await time("\(alias): first write, which makes the key", 1) { _ in
                try await store.set(value, for: key, details: nil)
            }
            for count in [1, 100] {
                try await time("\(alias), \(count) items: replace", 30) { _ in
                    try await store.set(value, for: key, details: nil)
                }
                try await time("\(alias), \(count) items: read", 100) { _ in
                    try await store.entry(key)
                }
                try await time("\(alias), \(count) items: absent", 100) { _ in
                    try await store.entry(ItemKey(service: "measure", account: "nobody"))
                }
                try await time("\(alias), \(count) items: list", 10) { _ in
                    try await store.list(service: "measure", itemClass: nil, accessGroup: "")
                }
                if count == 1 {
                    try await time("\(alias): 99 more, each", 99) { number in
                        try await store.set(
                            value, for: ItemKey(service: "measure", account: "more \(number)"),
                            details: nil)
                    }
                }
            }
            let million = SecretValue(bytes: [UInt8](repeating: 1, count: 1_000_000))
            try await time("\(alias): write 1 MB", 3) { _ in
                try await store.set(million, for: key, details: nil)
            }
            try await time("\(alias): read 1 MB", 3) { _ in try await store.entry(key) }
            try await time("\(alias): clear 100", 1) { _ in
                try await store.clear(service: "measure", itemClass: nil, accessGroup: "")
            }
        }
        try await time("the thread alone", 1000) { _ in
            await ServiceThread.shared.run(milliseconds: 1000) { _ in 0 }
        }
    }

    private static func time<R>(_ name: String, _ rounds: Int, _ body: (Int) async throws -> R)
        async throws
    {
        var times: [Double] = []
        for round in 0..<rounds {
            let start = now()
            _ = try await body(round)
            times.append(now() - start)
        }
        times.sort()
        let median = times[times.count / 2] * 1000
        let longest = (times.last ?? 0) * 1000
        print(
            "\(name): median \((median * 100).rounded() / 100) ms, longest \((longest * 100).rounded() / 100) ms"
        )
    }
}
