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

    /// Called after an unlock. The generation is lower than before if a backup was restored.
    func noteUnlock(at generation: UInt64) {
        noteRead(generation)
        newest.withLock { $0 = generation }
    }

    /// Called after an authentic state of this generation was read. Tells the listeners if another
    /// process wrote it.
    func noteRead(_ generation: UInt64) {
        let isFromElsewhere = newest.withLock { known in
            defer { known = max(known ?? 0, generation) }
            return known.map { generation > $0 } ?? false
        }
        if isFromElsewhere { hub.send(.changedElsewhere) }
    }

    /// Runs a commit, which announces its generation first. A read of that generation on another
    /// thread is then not taken for another process's write.
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
            // The announced generation was not written. The next write of another process will have
            // it, and listeners must be told then.
            if let announced { withdraw(announced) }
            throw error
        }
    }

    private func withdraw(_ announced: UInt64) {
        newest.withLock { newest in
            // Generations begin at 1. A newer one was read meanwhile if the two differ.
            if newest == announced { newest = announced - 1 }
        }
    }
}
