// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// Notices other processes' writes to a vault, for listeners in this process.
///
/// Each transaction increments the state's generation. A generation that is newer than all that
/// this process has read or written comes from another process. All objects of one vault file in
/// the process share a watch.
final class ChangeWatch: Sendable {
    private struct Watched: Sendable {
        weak var watch: ChangeWatch?
    }

    private static let all = Locked<[[UInt8]: Watched]>([:])

    private let hub: ChangeHub
    /// The newest generation that this process knows; nil before an unlock.
    private let newest = Locked<UInt64?>(nil)

    private init(_ hub: ChangeHub) { self.hub = hub }

    /// The watch of the vault with this id in this file. A copy of the file has its own.
    static func watch(of id: [UInt8], at path: String, hub: ChangeHub) -> ChangeWatch {
        let name = id + Array(path.utf8)
        return all.withLock { all in
            if let watch = all[name]?.watch { return watch }
            all = all.filter { $0.value.watch != nil }
            let watch = ChangeWatch(hub)
            all[name] = Watched(watch: watch)
            return watch
        }
    }

    /// The vault was unlocked at this generation, which is earlier than before if a backup was
    /// restored.
    func noteUnlock(at generation: UInt64) {
        noteRead(generation)
        newest.withLock { $0 = generation }
    }

    /// An authentic state of this generation was read.
    func noteRead(_ generation: UInt64) {
        let isFromElsewhere = newest.withLock { known in
            defer { known = max(known ?? 0, generation) }
            return known.map { generation > $0 } ?? false
        }
        if isFromElsewhere { hub.send(.changedElsewhere) }
    }

    /// Runs a commit, which announces its generation: that is not taken for another process's.
    func runCommit<R>(
        _ commit: (_ announce: (UInt64) -> Void) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        var announced: UInt64?
        do {
            return try commit { generation in
                announced = generation
                newest.withLock { $0 = max($0 ?? 0, generation) }
            }
        } catch {
            // Nothing of this generation was written after all: another process's write has it, and
            // is news.
            if let announced { newest.withLock { if $0 == announced { $0 = announced - 1 } } }
            throw error
        }
    }
}
