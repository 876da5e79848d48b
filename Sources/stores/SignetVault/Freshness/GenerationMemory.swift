// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// Remembers the newest generation of each vault file that a process has used.
///
/// Files in use are always remembered, and also the files that were used last. Only a vault that
/// was unlocked has a generation to remember, so files that do not open displace nothing. A file
/// costs some hundred bytes.
package final class GenerationMemory: Sendable {
    /// A vault's id and the path of its file.
    private typealias Name = [UInt8]

    private struct Entry {
        let generation = NewestGeneration()
        var userCount = 0
        /// Ascends with each use.
        var lastUse: UInt64 = 0
    }

    private struct State {
        var entries: [Name: Entry] = [:]
        var idleCount = 0
        var useCount: UInt64 = 0
    }

    /// The memory of this process.
    static let process = GenerationMemory(idleCount: 4_096)

    private let minimumIdleCount: Int
    private let state = Locked(State())

    /// - Parameter count: how many files that are not in use it remembers at least. It forgets
    ///   files when there are twice as many.
    package init(idleCount count: Int) { minimumIdleCount = max(1, count) }

    /// The generation of the vault with this id in this file, which is in use until ``end(_:at:)``
    /// was called as often.
    package func use(_ id: [UInt8], at path: String) -> NewestGeneration {
        let name = Self.name(id, path: path)
        return state.withLock { state in
            var entry = state.entries[name] ?? Entry()
            if entry.userCount == 0, state.entries[name] != nil { state.idleCount -= 1 }
            state.useCount &+= 1
            entry.userCount += 1
            entry.lastUse = state.useCount
            state.entries[name] = entry
            return entry.generation
        }
    }

    /// Ends a use that ``use(_:at:)`` began.
    package func end(_ id: [UInt8], at path: String) {
        let name = Self.name(id, path: path)
        state.withLock { state in
            guard var entry = state.entries[name], entry.userCount > 0 else { return }
            entry.userCount -= 1
            // An object that read nothing has no generation to remember.
            let remembers = entry.userCount > 0 || entry.generation.value > 0
            state.entries[name] = remembers ? entry : nil
            guard remembers, entry.userCount == 0 else { return }
            state.idleCount += 1
            if state.idleCount >= 2 * minimumIdleCount { forgetOldest(&state) }
        }
    }

    /// Forgets what was remembered of this file: another copy has been put there on purpose. Objects
    /// that use it continue from there.
    package func forget(_ id: [UInt8], at path: String) {
        let name = Self.name(id, path: path)
        state.withLock { state in
            guard let entry = state.entries[name] else { return }
            entry.generation.lower(to: 0)
            guard entry.userCount == 0 else { return }
            state.entries[name] = nil
            state.idleCount -= 1
        }
    }

    /// How many files are remembered, for tests.
    package var count: Int { state.withLock { $0.entries.count } }

    /// Forgets the files that are not in use, but for those that were used last.
    private func forgetOldest(_ state: inout State) {
        let uses = state.entries.values.filter { $0.userCount == 0 }.map(\.lastUse).sorted()
        guard let oldest = uses.dropFirst(uses.count - minimumIdleCount).first else { return }
        state.entries = state.entries.filter {
            $0.value.userCount > 0 || $0.value.lastUse >= oldest
        }
        state.idleCount = minimumIdleCount
    }

    private static func name(_ id: [UInt8], path: String) -> Name { id + Array(path.utf8) }
}
