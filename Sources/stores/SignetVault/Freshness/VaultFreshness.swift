// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

/// Notices that an older copy of a vault's file was put back. Each write raises the *generation*, a
/// number in the vault's sealed *state*. This type remembers the newest: for this process, and in
/// the *anchor*, a place outside of the file that the program may give (``RollbackAnchor``). A
/// state of generation 7 is refused with `rolledBack` if 8 is remembered.
///
/// A caller reads ``newest`` before its transaction begins, and requires at least that generation
/// of the state. Reading it afterwards would reject a snapshot that is older than another thread's
/// write. The functions named `require…` only check, and those named `note…` only record.
final class VaultFreshness: Sendable {
    private let id: [UInt8]
    private let path: String
    /// Nil for a vault without an anchor: then nothing is noted outside of this process, and every
    /// step on the anchor does nothing.
    private let anchor: (any RollbackAnchor)?
    /// Tells the listeners of this process about the writes of other processes.
    let watch: ChangeWatch
    /// The newest generation of this file in this process, which all its vault objects share.
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

    /// The highest generation that this process has read or written; 0 before any.
    var newest: UInt64 { generation.value }

    /// The lowest generations that a state which is read afterwards may have.
    struct Floor {
        let process: UInt64
        /// Nil if the anchor has no note, or if there is no anchor.
        let anchored: UInt64?
    }

    // MARK: Unlocking

    /// The floor for an unlock, read before the unlock reads the state: while it derives the key,
    /// other processes may write.
    func floor() throws(StoreError) -> Floor {
        Floor(process: newest, anchored: try anchoredGeneration())
    }

    /// Checks the generation of the state that an unlock has opened, and notes it in this process
    /// and in the anchor. The anchor may not have it yet: another process without an anchor may
    /// have written it, or this process was killed between a write and its note.
    ///
    /// - Parameters:
    ///   - found: the state's generation.
    ///   - mayChangeAnchor: false for a vault that is only read.
    func checkAndNoteUnlock(
        at found: UInt64, atLeast floor: Floor, mayChangeAnchor: Bool
    ) throws(StoreError) {
        if acceptsRestored.withLock({ $0 }) {
            if mayChangeAnchor { try setAnchor(to: found, from: floor.anchored) }
            if found < floor.process { generation.lower(to: found) }
            generation.note(found)
        } else {
            try require(found, atLeast: floor.process)
            noteRead(found)
            try require(found, anchoredAt: floor.anchored)
            if mayChangeAnchor, found != floor.anchored { try advanceAnchorUnlessBusy(to: found) }
        }
        // A restored vault is accepted once, even if the anchor was not changed. From now on an
        // older state means that an older copy was put back.
        acceptsRestored.withLock { $0 = false }
        watch.noteUnlock(at: found)
    }

    /// Notes a generation in the anchor, even if it is lower.
    private func setAnchor(to found: UInt64, from noted: UInt64?) throws(StoreError) {
        if let noted, found < noted {
            try anchor?.lower(vault: id, to: found)
        } else {
            try anchor?.advance(vault: id, to: found)
        }
    }

    /// Notes a generation in the anchor. If other callers hold the anchor for too long, the next
    /// write notes it: a vault that is only read needs no note.
    private func advanceAnchorUnlessBusy(to found: UInt64) throws(StoreError) {
        do {
            try anchor?.advance(vault: id, to: found)
        } catch {
            guard error.code == .busy else { throw error }
        }
    }

    // MARK: Reading and writing

    /// - Throws: `rolledBack` for a state that is older than `floor`, which this process has seen.
    func require(_ found: UInt64, atLeast floor: UInt64) throws(StoreError) {
        guard found >= floor else {
            throw StoreError(
                .rolledBack,
                "The vault's file is of generation \(found), and was of \(floor) in this process: "
                    + "an older copy was put back. \(Self.remedy)"
            )
        }
    }

    /// Notes the generation of an authentic state that was read, in this process only.
    func noteRead(_ found: UInt64) {
        generation.note(found)
        watch.noteRead(found)
    }

    /// Called before each write: without this check, the note of the new write would move the
    /// anchor past the missing writes, and hide their loss.
    ///
    /// - Throws: `rolledBack` for a state that is older than the anchor's.
    func requireAnchored(_ found: UInt64) throws(StoreError) {
        try require(found, anchoredAt: anchoredGeneration())
    }

    private func anchoredGeneration() throws(StoreError) -> UInt64? {
        do {
            return try anchor?.generation(ofVault: id)
        } catch {
            throw Self.notToBeRepeated(
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
    func noteCommit(at written: UInt64) throws(StoreError) {
        generation.note(written)
        do throws(StoreError) {
            try anchor?.advance(vault: id, to: written)
        } catch {
            throw Self.notToBeRepeated(
                error, message: "The vault was written, but its anchor could not be moved on.")
        }
    }

    /// The anchor's error, with `unavailable` in place of a code after which callers repeat a write
    /// (a lost race, or a wait): they would do this write twice.
    private static func notToBeRepeated(
        _ error: StoreError, message text: ErrorMessage
    ) -> StoreError {
        let isRepeated = [.conflict, .alreadyExists, .busy].contains(error.code)
        return StoreError(
            isRepeated ? .unavailable : error.code, underlying: error, "\(text) \(messageOf: error)"
        )
    }
}
