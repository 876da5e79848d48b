// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// Compares what a vault object finds with the newest generation that this process and the anchor
/// know.
///
/// A caller reads ``newest`` before its transaction begins, and requires at least that generation
/// of the state. Reading it afterwards would reject a snapshot that is older than another thread's
/// write.
final class VaultFreshness: Sendable {
    private let id: [UInt8]
    private let path: String
    private let anchor: (any RollbackAnchor)?
    let watch: ChangeWatch
    private let generation: NewestGeneration
    /// Whether the next unlock may find a restored vault.
    private let acceptsRestored: Locked<Bool>

    init(vaultID: [UInt8], at path: String, options: VaultOptions, watch: ChangeWatch) {
        id = vaultID
        self.path = path
        self.watch = watch
        anchor = options.anchor
        generation = GenerationMemory.process.use(vaultID, at: path)
        acceptsRestored = Locked(options.acceptsRestored)
    }

    deinit { GenerationMemory.process.end(id, at: path) }

    /// The highest generation so far.
    var newest: UInt64 { generation.value }

    /// The lowest generations that a state which is read afterwards may have.
    struct Floor {
        let process: UInt64
        /// Nil if the anchor has no note, or if there is no anchor.
        let anchored: UInt64?
    }

    /// The floor for an unlock, read before the unlock reads the state: while it derives the key,
    /// other processes may write.
    func floor() throws(StoreError) -> Floor {
        Floor(process: newest, anchored: try anchored())
    }

    /// Checks the state that an unlock has opened, and notes its generation in the anchor too: it
    /// may come from another process, or from a write whose note was lost when this process was
    /// killed.
    ///
    /// - Parameter notes: whether the anchor may be changed.
    func begin(at found: UInt64, atLeast floor: Floor, notes: Bool) throws(StoreError) {
        let accepts = acceptsRestored.withLock { $0 }
        if !accepts {
            try require(found, atLeast: floor.process)
            try require(found, anchoredAt: floor.anchored)
            if notes, found != floor.anchored { try noteUnlocked(found) }
        } else {
            if notes { try accept(found, anchoredAt: floor.anchored) }
            if found < floor.process { generation.lower(to: found) }
            note(found)
        }
        // Accepted once: from now on, an older state was put back.
        acceptsRestored.withLock { $0 = false }
        watch.begin(at: found)
    }

    /// Notes a generation in the anchor, even if it is lower.
    private func accept(_ found: UInt64, anchoredAt noted: UInt64?) throws(StoreError) {
        if let noted, found < noted {
            try anchor?.lower(vault: id, to: found)
        } else {
            try anchor?.advance(vault: id, to: found)
        }
    }

    /// Notes a generation in the anchor. If other callers hold the anchor for too long, the next
    /// write notes it: a vault that is only read needs no note.
    private func noteUnlocked(_ found: UInt64) throws(StoreError) {
        do {
            try anchor?.advance(vault: id, to: found)
        } catch {
            guard error.code == .busy else { throw error }
        }
    }

    /// Rejects a state that is older than `floor`, and notes a newer state.
    func require(_ found: UInt64, atLeast floor: UInt64) throws(StoreError) {
        guard found >= floor else {
            throw StoreError(
                .rolledBack,
                "The vault's file is of generation \(found), and was of \(floor) in this process: "
                    + "an older copy was put back. \(Self.remedy)"
            )
        }
        note(found)
        watch.saw(found)
    }

    /// Rejects a state that is older than the anchor's. Called before each write, because the
    /// anchor would then move past the missing write and hide the loss.
    func requireAnchored(_ found: UInt64) throws(StoreError) {
        try require(found, anchoredAt: anchored())
    }

    private func anchored() throws(StoreError) -> UInt64? {
        do {
            return try anchor?.generation(ofVault: id)
        } catch {
            throw Self.unlikeARace(
                error, message: "The anchor could not be read, and nothing was written.")
        }
    }

    private func require(_ found: UInt64, anchoredAt noted: UInt64?) throws(StoreError) {
        guard let noted, found < noted else { return }
        throw StoreError(
            .rolledBack,
            "The vault's file is of generation \(found), and was of \(noted) before: "
                + "an older copy was put back. \(Self.remedy)"
        )
    }

    private static let remedy: ErrorMessage =
        "If you restored a backup with another program, open the vault once with acceptsRestored "
        + "(on the command line: --accept-restored)."

    /// Notes a committed transaction of this object.
    func committed(_ generation: UInt64) throws(StoreError) {
        note(generation)
        do throws(StoreError) {
            try anchor?.advance(vault: id, to: generation)
        } catch {
            throw Self.unlikeARace(
                error, message: "The vault was written, but its anchor could not be moved on.")
        }
    }

    private func note(_ found: UInt64) { generation.note(found) }

    /// A caller that repeats a write after a lost race, or after a wait, would do this write twice.
    private static func unlikeARace(_ error: StoreError, message text: ErrorMessage) -> StoreError {
        let isRace = [.conflict, .alreadyExists, .busy].contains(error.code)
        return StoreError(
            isRace ? .unavailable : error.code, underlying: error, "\(text) \(messageOf: error)")
    }
}
