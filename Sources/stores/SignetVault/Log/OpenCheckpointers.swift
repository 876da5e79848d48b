// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// The checkpoints of all open vaults, for a process that ends without closing them.
enum OpenCheckpointers {
    private struct OpenVault: Sendable {
        /// Weak: a closed vault is not kept here.
        weak var checkpointer: VaultCheckpointer?
    }

    private struct State {
        var vaults: [OpenVault] = []
        /// Whether the process already calls this at its end.
        var isRegistered = false
    }

    private static let state = Locked(State())

    static func add(_ checkpointer: VaultCheckpointer) {
        let isFirst = state.withLock { state in
            state.vaults.removeAll { $0.checkpointer == nil }
            state.vaults.append(OpenVault(checkpointer: checkpointer))
            defer { state.isRegistered = true }
            return !state.isRegistered
        }
        if isFirst { ProcessEnd.onEnd { OpenCheckpointers.checkpointAll() } }
    }

    /// Checkpoints what can be checkpointed without waiting: at the end of the process a thread may
    /// have been stopped while it held a lock.
    private static func checkpointAll() {
        let checkpointers = state.withLockIfFree { state in
            state.vaults.compactMap(\.checkpointer)
        }
        for checkpointer in checkpointers ?? [] { checkpointer.tryCheckpointAtEnd() }
    }
}
