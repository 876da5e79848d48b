// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// The newest generation that one vault object has read or written, over all its connections.
///
/// A caller reads ``newest`` before its transaction begins, and requires at least that of the
/// state. Reading it afterwards would reject a snapshot that is older than another thread's write.
final class VaultFreshness: Sendable {
    private let id: [UInt8]
    private let anchor: (any RollbackAnchor)?
    let watch: ChangeWatch
    private let generation = Locked<UInt64>(0)

    init(vaultID: [UInt8], anchor: (any RollbackAnchor)?, watch: ChangeWatch) {
        id = vaultID
        self.watch = watch
        self.anchor = anchor
    }

    /// The highest generation so far.
    var newest: UInt64 { generation.withLock { $0 } }

    /// Rejects a state that is older than `floor`, and notes a newer one.
    func require(_ found: UInt64, atLeast floor: UInt64) throws(StoreError) {
        guard found >= floor else {
            throw StoreError(
                .rolledBack,
                "The vault's file is of generation \(found), and was of \(floor) a moment ago: an older copy was put back. Open the vault again if that was you."
            )
        }
        note(found)
        watch.saw(found)
    }

    /// Rejects a state that is older than the anchor's. Called before each write, because the
    /// anchor would then move past the missing write and hide the loss.
    func requireAnchored(_ found: UInt64) throws(StoreError) {
        guard let anchor else { return }
        let noted: UInt64?
        do throws(StoreError) {
            noted = try anchor.generation(ofVault: id)
        } catch {
            throw Self.unlikeARace(error, "The anchor could not be read, and nothing was written.")
        }
        guard let noted, found < noted else { return }
        throw StoreError(
            .rolledBack,
            "The vault's file is of generation \(found), and was of \(noted) before: an older copy was put back."
        )
    }

    /// Notes others' writes, in the anchor too.
    func advanceAnchor(to generation: UInt64) throws(StoreError) {
        try anchor?.advance(vault: id, to: generation)
    }

    /// Notes a committed transaction of this object.
    func committed(_ generation: UInt64) throws(StoreError) {
        note(generation)
        do throws(StoreError) {
            try advanceAnchor(to: generation)
        } catch {
            throw Self.unlikeARace(
                error, "The vault was written, but its anchor could not be moved on.")
        }
    }

    private func note(_ found: UInt64) { generation.withLock { $0 = max($0, found) } }

    /// A caller that repeats a write after a lost race would do this one twice.
    private static func unlikeARace(_ error: StoreError, _ text: String) -> StoreError {
        let isRace = error.code == .conflict || error.code == .alreadyExists
        return StoreError(isRace ? .unavailable : error.code, "\(text) \(error.message)")
    }
}
