// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// The reservation of one vault object: room in the log for a later write. While the reservation
/// has its lock, no checkpoint of any process makes the log shorter.
///
/// ``FileVault/reserveRoom(forValueByteCount:)`` makes the reservation. It ends with the next write,
/// or with the last *section*: a body of `withExclusiveAccess` that is waiting or running.
final class VaultRoom: Sendable {
    private struct State {
        /// The lock of the reservation; nil without a reservation.
        var lock: FolderLock?
        /// How many sections are waiting or running.
        var sectionCount = 0
    }

    private let state = Locked(State())

    /// Keeps the reservation until the next write, or the end of the last section.
    func keep(_ lock: FolderLock) { state.withLock { $0.lock = lock } }

    /// Ends an earlier reservation, unless another caller may count on it.
    func beginAnew() {
        state.withLock { state in if state.sectionCount <= 1 { state.lock = nil } }
    }

    /// Ends the reservation, unless a section goes on: another caller in the section may have made
    /// the reservation.
    func noteWrite() {
        state.withLock { state in if state.sectionCount == 0 { state.lock = nil } }
    }

    func beginSection() { state.withLock { $0.sectionCount += 1 } }

    func endSection() {
        state.withLock { state in
            state.sectionCount -= 1
            if state.sectionCount == 0 { state.lock = nil }
        }
    }

    /// Called when the vault is closed.
    func end() { state.withLock { $0.lock = nil } }

    /// The most pages that one write of a value needs in the log, and some more: other objects and
    /// processes may write in between.
    static func pageCount(forValueByteCount byteCount: Int) -> Int {
        let sealed = Padding.paddedByteCount(of: byteCount) + VaultFormat.sealByteCount
        // The old value's pages are written too, with zeros (secure_delete), if the new value does
        // not use them again.
        let pagesOfWrite = 2 * (sealed / usableByteCount + 2) + pagesOfTrees
        return pagesOfWrite + sparePages
    }

    /// For small writes of other objects and processes in between.
    private static let sparePages = 12
    /// The octets of a value in an overflow page: all but the number of the next page.
    private static let usableByteCount = Int(VaultFormat.pageByteCount) - 4
    /// Measured: 5 in a vault of 500 items (`RoomTests`). They are the pages of state, bucket, item
    /// and index, of the free list, and what deeper trees and a split add.
    private static let pagesOfTrees = 20
}
