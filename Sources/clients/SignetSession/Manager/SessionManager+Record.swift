// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase

// The records that an exchange writes while no other process exchanges: before the server is asked,
// that it has begun; then the successor, or how long the server asks to wait. Each write is a
// compare-and-swap.
extension SessionManager {
    /// How long a store may be busy when a successor must be written.
    private static let busyLimit = Duration.seconds(90)
    /// How long a store may be busy before the server is asked. No token is spent yet.
    private static let busyLimitBefore = Duration.seconds(5)

    /// How often a write is tried. A successor is tried for longer if the store is busy.
    private static let attemptCount = 4
    /// The first wait between two attempts.
    private static let firstWait = Duration.milliseconds(20)

    /// The result of an attempt to write a record.
    private enum Attempt {
        case written
        /// Nothing was written: the store has another session, or none.
        case ended(Result<StoredSession, SessionError>)
        case failed(StoreError)
    }

    /// In order: before a token is spent, checks that the store can be written, and makes room for
    /// the largest successor.
    ///
    /// - Returns: the same session if the server may be asked; otherwise the session that the store
    ///   has instead.
    func recordBegin(of stored: StoredSession) async -> Result<StoredSession, SessionError> {
        let start = clock.elapsed()
        var failure = SessionError.gone
        var isPadded = true
        for _ in 0..<Self.attemptCount {
            let outcome = await replaceRecord(of: stored) { [isPadded] () throws(StoreError) in
                try stored.begunValue(isPadded: isPadded)
            }
            switch outcome {
            case .ended(let result): return result
            case .written:
                do {
                    try await store.reserveRoom(forValueByteCount: try stored.roomByteCount())
                    return .success(stored)
                } catch {
                    return .failure(SessionError(error))
                }
            case .failed(let error):
                failure = SessionError(error)
                // A store with a smaller limit may still take the successor.
                if error.code == .tooLarge, isPadded {
                    isPadded = false
                    continue
                }
                guard failure.isTemporary, clock.elapsed() - start < Self.busyLimitBefore else {
                    return .failure(failure)
                }
                await TimeSource.system.sleep(for: Self.firstWait)
            }
        }
        return .failure(failure)
    }

    /// Stores the tokens, and only then gives them out. If the store fails, retries a few times,
    /// and for 90 s if the store is busy, while no other process can spend the exchanged token.
    /// Between two attempts, further work gets its turn.
    func saveSuccessor(
        _ next: StoredSession, after parent: StoredSession
    ) async -> Result<StoredSession, SessionError> {
        var count = 0
        var passed = Duration.zero
        var wait = Self.firstWait
        while true {
            let begun = clock.elapsed()
            let outcome = await inOrder { await $0.putSuccessor(next, after: parent) }
            guard case .failed(let error) = outcome else {
                if case .ended(let result) = outcome { return result }
                return .success(next)
            }
            let failure = SessionError(error)
            count += 1
            // The waits count even if a test's clock stands still.
            passed += max(.zero, clock.elapsed() - begun) + wait
            let mayGoOnWaiting = [.busy, .timedOut].contains(error.code) && passed < Self.busyLimit
            guard failure.isTemporary, count < Self.attemptCount || mayGoOnWaiting else {
                return .failure(failure)
            }
            await TimeSource.system.sleep(for: wait)
            wait = min(wait * 2, .seconds(1))
        }
    }

    /// In order: an attempt to store the successor.
    private func putSuccessor(_ next: StoredSession, after parent: StoredSession) async -> Attempt {
        let outcome = await replaceRecord(
            of: parent, whenGone: { $0.removedMeanwhile(next) }, by: next.value)
        switch outcome {
        case .written:
            unsaved = nil
            pause.end()
            takeOver(next)
        case .ended(.success(let stored)) where stored.id == next.id:
            // The successor was written despite an error.
            unsaved = nil
        default: break
        }
        return outcome
    }

    /// In order: records for all processes how long the server asks to wait. If the store fails,
    /// only this process waits.
    func recordWait(_ wait: Duration, after stored: StoredSession) async {
        var record = stored
        record.serverPause = ServerPause(from: clock.now(), for: wait)
        guard record.serverPause != nil else { return }
        _ = await replaceRecord(of: stored, by: record.value)
    }

    /// In order: writes the record if the store still has the tokens of `parent`.
    private func replaceRecord(
        of parent: StoredSession,
        whenGone: (isolated SessionManager) -> Void = { $0.removedElsewhere() },
        by value: @Sendable () throws(StoreError) -> SecretValue
    ) async -> Attempt {
        do {
            guard let entry = try await store.entry(item) else {
                whenGone(self)
                return .ended(.failure(.gone))
            }
            let stored = try StoredSession(entry.value)
            guard stored.id != endedID else { return .ended(.failure(.gone)) }
            guard stored.hasSameTokens(as: parent) else {
                // A sign-in came in between, or another process was faster.
                takeOver(stored)
                return .ended(.success(stored))
            }
            try await store.replace(
                try value(), for: item, details: nil, ifRevision: entry.item.revision)
            return .written
        } catch {
            return .failed(error)
        }
    }

    private func removedElsewhere() {
        if case .signedIn = state { becomeSignedOut(.removedElsewhere) }
    }

    /// In order: ends a session that another program signed out while the server gave these
    /// tokens. That program told the server of the old tokens only, so the new tokens are revoked
    /// too, and the session does not live on at the server. A sign-out here revokes them itself.
    private func removedMeanwhile(_ next: StoredSession) {
        guard signingOutID != next.id else { return }
        unsaved = nil
        if sessionInHand?.id == next.id { becomeSignedOut(.removedElsewhere) }
        let tokens = SessionTokens(
            accessToken: next.accessToken, refreshToken: next.refreshToken)
        Task { await self.tellServer(.this, of: tokens) }
    }
}
