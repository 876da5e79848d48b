// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// The checkpoints of all open vaults, for a process that ends without closing them.
enum OpenCheckpointers {
    private struct Entry: Sendable {
        weak var checkpointer: VaultCheckpointer?
    }

    private struct State {
        var entries: [Entry] = []
        var isRegistered = false
    }

    private static let state = Locked(State())

    static func add(_ checkpointer: VaultCheckpointer) {
        let registers = state.withLock { state in
            state.entries.removeAll { $0.checkpointer == nil }
            state.entries.append(Entry(checkpointer: checkpointer))
            defer { state.isRegistered = true }
            return !state.isRegistered
        }
        if registers { ProcessEnd.onEnd { OpenCheckpointers.checkpointAll() } }
    }

    /// Only tries: it does not wait for a thread that was stopped in the middle of a call.
    private static func checkpointAll() {
        let checkpointers = state.withLockIfFree { state in state.entries.compactMap(\.checkpointer)
        }
        for checkpointer in checkpointers ?? [] { checkpointer.tryCheckpointAtEnd() }
    }
}
