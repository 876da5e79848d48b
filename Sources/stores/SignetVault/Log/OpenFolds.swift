// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// The folds of all open vaults, for a process that ends without closing them.
enum OpenFolds {
    private struct Entry: Sendable {
        weak var fold: VaultFold?
    }

    private struct State {
        var entries: [Entry] = []
        var isRegistered = false
    }

    private static let state = Locked(State())

    static func add(_ fold: VaultFold) {
        let registers = state.withLock { state in
            state.entries.removeAll { $0.fold == nil }
            state.entries.append(Entry(fold: fold))
            defer { state.isRegistered = true }
            return !state.isRegistered
        }
        if registers { ProcessEnd.onEnd { OpenFolds.foldAll() } }
    }

    /// Only tries: it does not wait for a thread that was stopped in the middle of a call.
    private static func foldAll() {
        let folds = state.withLockIfFree { state in state.entries.compactMap(\.fold) }
        for fold in folds ?? [] { fold.tryAtEnd() }
    }
}
