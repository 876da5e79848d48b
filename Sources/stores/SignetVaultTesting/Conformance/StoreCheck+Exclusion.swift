// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetVault

extension StoreCheck {
    /// The limit of a wait that is short unless something is wrong: long enough for a busy machine.
    private static let waitLimit = Duration.seconds(300)

    /// Adds 1 to the number in the scope's item, without compare-and-swap: only exclusion keeps the
    /// count right.
    ///
    /// - Parameter inside: how many callers are in this function.
    private static func incrementItem(
        in store: any SecureStore, of scope: CheckScope, inside: Locked<Int>
    ) async throws {
        let others = inside.withLock { count in
            defer { count += 1 }
            return count
        }
        defer { inside.withLock { $0 -= 1 } }
        try scope.expect(others, is: 0, named: "the number of others inside")
        let old = try await store.get(scope.key())?.string()
        try await Task.sleep(for: .milliseconds(1))
        let new = (old.flatMap { Int($0) } ?? 0) + 1
        try await store.set("\(new)", for: scope.key())
    }

    static let exclusion = [
        StoreCheck("exclusive access is one caller's at a time") { scope in
            let inside = Locked(0)
            try await withThrowingTaskGroup { group in
                for store in [scope.store, scope.other, scope.store, scope.other] {
                    group.addTask {
                        for _ in 0..<5 {
                            try await store.withExclusiveAccess(
                                to: scope.key(), within: waitLimit
                            ) {
                                try await incrementItem(in: store, of: scope, inside: inside)
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let count = try await scope.store.get(scope.key())?.string()
            try scope.expect(count, is: "20", named: "what 20 bodies have counted to")
        },
        StoreCheck("exclusive access to one item leaves the others free") { scope in
            // Names that would be equal if their parts were joined without their lengths.
            let key = scope.key("ab")
            let others = [
                scope.key("a"), scope.key("b", service: scope.service + "a"),
                scope.key("ab", itemClass: .token), scope.key("ab", group: scope.group),
                scope.key("\u{e9}"), scope.key("e\u{301}"),
            ]
            try await scope.store.withExclusiveAccess(to: key, within: waitLimit) {
                for other in others {
                    try await scope.other.withExclusiveAccess(to: other, within: .zero) {
                        // The two spellings of one name, both held at once.
                        guard other == scope.key("\u{e9}") else { return }
                        try await scope.store.withExclusiveAccess(
                            to: scope.key("e\u{301}"), within: .zero
                        ) {}
                    }
                }
            }
        },
        StoreCheck("exclusive access that others have ends with the limit") { scope in
            try await scope.store.withExclusiveAccess(to: scope.key(), within: waitLimit) {
                for limit in [Duration.milliseconds(20), .zero, .seconds(-1)] {
                    try await scope.expect(.timedOut, by: "waiting for others") {
                        try await scope.other.withExclusiveAccess(to: scope.key(), within: limit) {
                            throw StoreFinding(message: "the body ran while another one did")
                        }
                    }
                }
            }
            try await scope.other.withExclusiveAccess(to: scope.key(), within: waitLimit) {}
        },
        StoreCheck("waiting for exclusive access ends with its task") { scope in
            try await scope.store.withExclusiveAccess(to: scope.key(), within: waitLimit) {
                let waiting = Task {
                    try await scope.other.withExclusiveAccess(
                        to: scope.key(), within: .seconds(3600)
                    ) {}
                }
                // Usually enough for the task to be waiting.
                try await Task.sleep(for: .milliseconds(20))
                waiting.cancel()
                try await scope.expect(.cancelled, by: "waiting in a task that is cancelled") {
                    try await waiting.value
                }
            }
            // The cancelled wait has left nothing behind.
            try await scope.other.withExclusiveAccess(to: scope.key(), within: waitLimit) {}
        },
        StoreCheck("exclusive access gives the answer, or the error, and ends with it") { scope in
            let key = scope.key()
            let value = try await scope.store.withExclusiveAccess(to: key, within: .zero) { 42 }
            try scope.expect(value, is: 42, named: "what came of a body that returned 42")
            struct OwnError: Error {}
            do {
                try await scope.store.withExclusiveAccess(to: key, within: waitLimit) {
                    throw OwnError()
                }
                throw StoreFinding(message: "the body's error did not come out")
            } catch is OwnError {}
            try await scope.other.withExclusiveAccess(to: key, within: waitLimit) {}
            try scope.expect(
                try await scope.store.item(key) == nil, "exclusive access wrote an item")
            try await scope.expect(.invalidItem, by: "access to an account of 1,025 octets") {
                try await scope.store.withExclusiveAccess(
                    to: scope.key(String(repeating: "x", count: 1025)), within: .zero
                ) {}
            }
        },
        StoreCheck("a locked store gives exclusive access", requires: .locking) { scope in
            try await scope.store.lock()
            let value = try await scope.store.withExclusiveAccess(
                to: scope.key(), within: waitLimit
            ) { 42 }
            try scope.expect(value, is: 42, named: "what came of a body that returned 42")
        },
    ]
}
