// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

// `read` and `write`: `let text = try vault.read { try $0.get(key)?.string() }`.
// Both check, before the closure runs, that what is in the file is of this vault and not old:
// - the *head* in the file must be of the keys that are held; if a process has changed the keys,
//   they are read again;
// - the *generation*, which each write raises, must be at least the *floor*, the newest that this
//   process knew before the transaction, and that of the *anchor*, a note outside of the file.
// The *proof* of a connection is what it has proved about the rows so far. The *log* is the file to
// which SQLite appends writes; a *checkpoint* copies it into the vault's file.

extension FileVault {
    /// Reads the vault at one moment, on this thread.
    ///
    /// While `body` runs, other callers read and write, but their writes cannot be checkpointed
    /// into the file: do not wait for anything in `body`.
    ///
    /// - Throws: `locked`, `forked`, `unavailable`; `unsupported` inside a read or a write of the
    ///   same vault on the same thread; the errors of `body`.
    public func read<R>(_ body: (VaultReader) throws -> R) throws -> R {
        try reading { (reader) throws(StoreError) -> Result<R, any Error> in
            Result { try body(reader) }
        }.get()
    }

    /// Reads the vault at one moment, on ``queue``. Otherwise like the synchronous form.
    ///
    /// - Throws: also `cancelled`, if the task was cancelled before its turn.
    public func read<R: Sendable>(_ body: @escaping @Sendable (VaultReader) throws -> R)
        async throws -> R
    {
        try await queue.run { () throws(StoreError) in Result { try self.read(body) } }.get()
    }

    /// Reads and writes the vault in one transaction, on this thread. Either everything that `body`
    /// writes is on the disk when the call returns, or nothing if it throws.
    ///
    /// The writers of all processes wait for `body`: do not wait for anything in it. On a full disk
    /// `body` may run twice more: after the log was checkpointed, and without writing zeros over
    /// what it frees, so that removing an item takes little room. The sealed bytes of a value that
    /// was removed this way stay in the file until other bytes take their place, or until
    /// ``compact(progress:)``. A write after which the log is long also checkpoints it, and may wait
    /// 1.2 s for readers of an older state.
    ///
    /// - Throws: `locked`, `forked`, `readOnly`, `busy` if other writers take longer than the
    ///   options allow, `unavailable` (such as a full disk), `corrupt`, `rolledBack`; `unsupported`
    ///   inside a read or a write of the same vault on the same thread; the errors of `body`. Only
    ///   after an anchor's error does the write stay: its message says so.
    @discardableResult
    public func write<R>(_ body: (VaultWriter) throws -> R) throws -> R {
        // The error of `body` that is not a StoreError, which `writing` cannot throw.
        var bodyError: (any Error)?
        do throws(StoreError) {
            return try writing { (writer) throws(StoreError) -> R in
                // After a full disk this runs again.
                bodyError = nil
                do {
                    return try body(writer)
                } catch {
                    if let error = error as? StoreError { throw error }
                    bodyError = error
                    throw .undone
                }
            }
        } catch {
            throw bodyError ?? error
        }
    }

    /// Reads and writes the vault in one transaction, on ``queue``. Otherwise like the synchronous
    /// form.
    ///
    /// - Throws: also `cancelled`, if the task was cancelled before its turn; nothing was done
    ///   then.
    @discardableResult
    public func write<R: Sendable>(_ body: @escaping @Sendable (VaultWriter) throws -> R)
        async throws -> R
    {
        try await queue.run { () throws(StoreError) in Result { try self.write(body) } }.get()
    }

    // MARK: What they are made of

    /// Like `read`, for a closure that throws a store's errors alone. If a process has replaced the
    /// root key in the meantime, reads again with the keys that are held by then.
    package func reading<R>(
        _ body: (VaultReader) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try requireProcess()
        let unlocked = try holder.use()
        return try file.whileUnchanged { () throws(StoreError) -> R in
            do throws(StoreError) {
                return try reading(with: unlocked, keepingReplaced: false, body)
            } catch {
                guard error == .rootReplaced else { throw error }
            }
            // Waits for the writer: a thread of this process that replaces the root key passes the
            // new key to the holder before it frees the writing connection.
            try writingConnection.run { (_, _) throws(StoreError) in }
            return try reading(with: holder.use(), keepingReplaced: true, body)
        }
    }

    /// - Parameter keepingReplaced: continues with keys that another process has replaced, for
    ///   reads without proof; otherwise throws `rootReplaced` before `body` begins.
    private func reading<R>(
        with held: UnlockedKeys, keepingReplaced: Bool,
        _ body: (VaultReader) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        let floor = freshness.newest
        return try readingConnection.run(apartFrom: writingConnection) {
            (connection, proof) throws(StoreError) -> R in
            try connection.transaction(.begin) { () throws(StoreError) -> R in
                let (unlocked, headFailure) = try keysToRead(
                    held, keepingReplaced: keepingReplaced, on: connection)
                let reader = VaultReader(
                    VaultReader.Source(
                        connection: connection, proof: proof, keys: unlocked, freshness: freshness,
                        floor: floor, level: options.readLevel, headFailure: headFailure))
                defer { reader.end() }
                return try body(reader)
            }
        }
    }

    /// The keys for a read in this transaction. If they do not match the head, also a closure that
    /// makes the error for a call that needs a proof.
    ///
    /// It is a closure because making the error may lock the vault, which must happen only if the
    /// reader asks for a proof.
    private func keysToRead(
        _ held: UnlockedKeys, keepingReplaced: Bool, on connection: VaultConnection
    ) throws(StoreError) -> (UnlockedKeys, headFailure: (() -> StoreError)?) {
        do throws(StoreError) {
            return (try keysMatchingHead(held, on: connection), nil)
        } catch {
            if error == .rootReplaced, keepingReplaced {
                return (held, { self.lockedByRotation() })
            }
            guard error.code == .corrupt else { throw error }
            return (held, { error })
        }
    }

    /// Runs `body` in a transaction. On a full disk, runs it again after the log was checkpointed,
    /// and then without writing zeros.
    package func writing<R>(
        _ body: (VaultWriter) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        try requireWritable()
        var isCheckpointed = false
        // At most three attempts.
        for zeroes in [true, true, false] {
            do {
                return try writingOnce(zeroes: zeroes, body)
            } catch {
                guard error.isDiskFull(of: file.path) else { throw error }
            }
            // Frees the room that the failed attempt took. If this fails too, the next attempt may
            // find the disk full again, and the error says so.
            isCheckpointed = (try? checkpointer.checkpoint(.long)) ?? false
        }
        let needed = try writingConnection.run { (connection, _) throws(StoreError) in
            connection.writtenByteCount(beginningAnew: false)
        }
        throw .noRoom(
            for: file.path, needed: needed,
            room: DiskRoom(besideFileAt: file.path, isCheckpointed: isCheckpointed))
    }

    /// What a transaction has left once it is committed.
    private struct Committed<Value> {
        /// What the closure returned.
        let value: Value
        /// Nil if nothing was changed.
        let outcome: VaultWriter.Outcome?
        let writer: VaultWriter
    }

    /// Runs `body` in one transaction; once it is committed, lets the rest of this process know.
    ///
    /// - Parameter zeroes: whether freed bytes are written over with zeros, which takes room in the
    ///   log.
    private func writingOnce<R>(
        zeroes: Bool, _ body: (VaultWriter) throws(StoreError) -> R
    ) throws(StoreError) -> R {
        _ = try holder.use()
        let now = ItemTime.now(by: options.clock)
        return try writingConnection.run(apartFrom: readingConnection) {
            (connection, proof) throws(StoreError) -> R in
            // Asks again for the keys now that it is this call's turn: the thread before may have
            // replaced the root key.
            let held = try holder.use()
            try file.requireSame(connection)
            // Counts the pages of this transaction from 0.
            _ = connection.writtenByteCount(beginningAnew: true)
            try requireProvedLog(held)
            if !zeroes { try connection.setZeroing(false) }
            defer { if !zeroes { try? connection.setZeroing(true) } }
            let floor = freshness.newest
            let committed = try freshness.watch.runCommit {
                (announce) throws(StoreError) -> Committed<R> in
                try connection.transaction(.beginImmediate) {
                    () throws(StoreError) -> Committed<R> in
                    let writer = try makeWriter(
                        connection, proof: proof, keys: held, floor: floor, now: now)
                    defer { writer.end() }
                    return try finish(body, by: writer, announcing: announce)
                }
            }
            guard let outcome = committed.outcome else { return committed.value }
            room.noteWrite()
            checkpointer.noteWrite()
            defer { checkpointer.checkpointIfLong(connection) }
            try passOn(outcome, of: committed.writer, to: proof)
            return committed.value
        }
    }

    /// Lets this process and the anchor know what was committed.
    private func passOn(
        _ outcome: VaultWriter.Outcome, of writer: VaultWriter, to proof: VaultProof
    ) throws(StoreError) {
        if let successor = writer.successor { holder.replaceIfUnlocked(with: successor) }
        proof.advance(outcome)
        readingConnection.advanceIfFree(outcome)
        hub.send(writer.changes)
        try freshness.noteCommit(at: outcome.generation)
    }

    /// Runs `body` with the writer, and writes the sums: the last step before the commit.
    ///
    /// - Parameter announce: receives the generation that is about to be committed.
    private func finish<R>(
        _ body: (VaultWriter) throws(StoreError) -> R, by writer: VaultWriter,
        announcing announce: (UInt64) -> Void
    ) throws(StoreError) -> Committed<R> {
        do throws(StoreError) {
            let value = try body(writer)
            let outcome = try writer.finish()
            if let outcome { announce(outcome.generation) }
            return Committed(value: value, outcome: outcome, writer: writer)
        } catch {
            throw writer.withoutInternalCode(error)
        }
    }

    /// Makes the writer for the transaction that has begun.
    private func makeWriter(
        _ connection: VaultConnection, proof: VaultProof, keys held: UnlockedKeys, floor: UInt64,
        now: ItemTime
    ) throws(StoreError) -> VaultWriter {
        let unlocked: UnlockedKeys
        do {
            unlocked = try keysMatchingHead(held, on: connection)
        } catch {
            throw error == .rootReplaced ? lockedByRotation() : error
        }
        let reader = VaultReader(
            VaultReader.Source(
                connection: connection, proof: proof, keys: unlocked, freshness: freshness,
                floor: floor, level: options.readLevel))
        let writer = try VaultWriter(continuing: reader, now: now)
        try freshness.requireAnchored(writer.state.generation)
        return writer
    }

    /// Ensures, before anything is added to the log, that the log is known to be this file's.
    func requireProvedLog(_ held: UnlockedKeys) throws(StoreError) {
        do {
            try checkpointer.requireProvedLog(held)
        } catch {
            throw error == .rootReplaced ? lockedByRotation() : error
        }
    }

    /// The keys for the head in this transaction. If the head has changed, the keys are read again,
    /// and replace the old keys for later calls too.
    private func keysMatchingHead(
        _ held: UnlockedKeys, on connection: VaultConnection
    ) throws(StoreError) -> UnlockedKeys {
        let fresh = try held.current(on: connection)
        if fresh !== held { holder.replace(held, with: fresh) }
        return fresh
    }

    /// Locks, because another process replaced the root key.
    private func lockedByRotation() -> StoreError {
        holder.end()
        return StoreError(.locked, "\(messageOf: StoreError.rootReplaced)")
    }
}

extension StoreError {
    /// Internal only: the closure of a write has thrown its own error.
    fileprivate static var undone: Self {
        Self(Code(rawValue: "undone"), "The closure has thrown.")
    }
}
