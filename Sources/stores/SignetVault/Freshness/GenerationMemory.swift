// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// Remembers, for this process, the newest generation of each vault file that it has used: a number
/// that each write to the vault raises. A vault object that is opened later finds it here, and so
/// notices an older copy of the file:
///
///     let newest = memory.use(id, at: path)   // such as 8, from an object before
///     memory.end(id, at: path)
///
/// ``VaultFreshness`` begins a use for each vault object, and ends it when the object goes. A file
/// in use is always remembered. A file that is not (an idle file) is remembered until too many
/// other files were used after it. A file costs some hundred bytes.
package final class GenerationMemory: Sendable {
    /// A vault's id, then the path of its file.
    private typealias FileKey = [UInt8]

    private struct RememberedFile {
        /// Shared with the vault objects that use the file, which raise it.
        let generation = NewestGeneration()
        /// How many vault objects use the file now.
        var userCount = 0
        /// The number of the latest use, of all uses of all files: a higher number is later.
        var lastUse: UInt64 = 0

        var isIdle: Bool { userCount == 0 }
    }

    private struct State {
        var files: [FileKey: RememberedFile] = [:]
        var idleCount = 0
        /// How many uses of all files have begun.
        var useCount: UInt64 = 0
    }

    /// The memory of this process.
    static let process = GenerationMemory(idleCount: 4_096)

    private let minimumIdleCount: Int
    private let state = Locked(State())

    /// - Parameter count: how many idle files it remembers at least. It forgets idle files when
    ///   there are twice as many.
    package init(idleCount count: Int) { minimumIdleCount = max(1, count) }

    /// Begins a use of a file, which one call of ``end(_:at:)`` ends.
    ///
    /// - Returns: the newest generation of the vault with this id in this file.
    package func use(_ id: [UInt8], at path: String) -> NewestGeneration {
        let key = Self.fileKey(id, path: path)
        return state.withLock { state in
            let known = state.files[key]
            // From now on the file is not idle.
            if let known, known.isIdle { state.idleCount -= 1 }
            var file = known ?? RememberedFile()
            state.useCount &+= 1
            file.userCount += 1
            file.lastUse = state.useCount
            state.files[key] = file
            return file.generation
        }
    }

    /// Ends a use that ``use(_:at:)`` began.
    package func end(_ id: [UInt8], at path: String) {
        let key = Self.fileKey(id, path: path)
        state.withLock { state in
            guard var file = state.files[key], !file.isIdle else { return }
            file.userCount -= 1
            state.files[key] = file
            guard file.isIdle else { return }
            // The vault was never unlocked, so there is no generation to remember. A file that does
            // not open thus displaces no other file.
            guard file.generation.value > 0 else {
                state.files[key] = nil
                return
            }
            state.idleCount += 1
            if state.idleCount >= 2 * minimumIdleCount { forgetOldestIdleFiles(&state) }
        }
    }

    /// Forgets the generation of a file: another copy has been put there on purpose. Vault objects
    /// that use the file continue from the copy's generation.
    package func forget(_ id: [UInt8], at path: String) {
        let key = Self.fileKey(id, path: path)
        state.withLock { state in
            guard let file = state.files[key] else { return }
            file.generation.lower(to: 0)
            guard file.isIdle else { return }
            state.files[key] = nil
            state.idleCount -= 1
        }
    }

    /// How many files are remembered, for tests.
    package var count: Int { state.withLock { $0.files.count } }

    /// Forgets all idle files except the `minimumIdleCount` that were used last.
    private func forgetOldestIdleFiles(_ state: inout State) {
        let idleUses = state.files.values.filter(\.isIdle).map(\.lastUse).sorted()
        guard let oldestKeptUse = idleUses.suffix(minimumIdleCount).first else { return }
        state.files = state.files.filter { !$0.value.isIdle || $0.value.lastUse >= oldestKeptUse }
        state.idleCount = minimumIdleCount
    }

    private static func fileKey(_ id: [UInt8], path: String) -> FileKey { id + Array(path.utf8) }
}
