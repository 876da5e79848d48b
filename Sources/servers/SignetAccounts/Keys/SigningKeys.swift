// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
public import SignetIdentity
public import SignetJOSE

/// The keys that sign an application's session tokens, kept in one place for all instances: made at
/// the first start, exchanged on a schedule, published before they sign.
///
/// ```swift
/// let keys = try await SigningKeys.open(in: .vault(vault, service: "api.example"))
/// ```
///
/// Every minute:
///
/// ```swift
/// try sessions.use(try await keys.refresh())
/// ```
///
/// Call ``refresh()`` every minute on each instance (`KeyReading` of SignetHummingbird is a service
/// that does) and hand the ring to the issuer. It exchanges keys when they are due, whichever
/// instance comes first. An instance that was not refreshed for longer than
/// ``KeySchedule/publishedAhead`` may meet tokens of a key that it does not know yet.
///
/// The clocks of instances may differ by the leeway of their `SessionTokenIssuer`: 30 s, or what
/// you give it, up to 300 s. An instance refuses tokens of an instance that is further ahead
/// (`notYetValid`) until its own clock has caught up. ``KeySchedule/publishedAhead`` must be longer
/// than that difference and the time between two refreshes together.
public final class SigningKeys: Sendable {
    private let place: KeyRingPlace
    private let schedule: KeySchedule
    private let algorithm: SignatureAlgorithm
    private let clock: TimeSource
    /// The ring in hand: the newest that this instance has read.
    private let latest: Locked<Reading>
    private let lastReadingNumber = Locked<UInt64>(0)

    /// A ring that this instance has read.
    private struct Reading: Sendable {
        let ring: SessionKeyRing
        /// Grows with each reading: the ring of a higher number is newer.
        let number: UInt64
    }

    /// Opens the keys, and generates the first key if there is none.
    ///
    /// - Parameters:
    ///   - place: where the keys are kept.
    ///   - schedule: when keys are exchanged; nil for the default schedule.
    ///   - algorithm: the algorithm of new keys; kept keys stay.
    ///   - clock: the time; a test passes that of a `ManualClock`.
    /// - Throws: `corrupt` if the kept keys cannot be read, and then no key is made in their place;
    ///   `unavailable`.
    public static func open(
        in place: KeyRingPlace, schedule: KeySchedule? = nil,
        algorithm: SignatureAlgorithm = .es256, clock: TimeSource = .system
    ) async throws(AccountError) -> SigningKeys {
        let schedule = if let schedule { schedule } else { try KeySchedule() }
        let ring = try await changeStoredRing(at: place, clock: clock) { (state, now) in
            guard let state else {
                return try KeyRingState(SigningKey.generate(algorithm), at: now)
            }
            return try state.dueChange(at: now, schedule: schedule, algorithm: algorithm)
        }
        return SigningKeys(
            place, schedule: schedule, algorithm: algorithm, clock: clock, ring: ring)
    }

    private init(
        _ place: KeyRingPlace, schedule: KeySchedule, algorithm: SignatureAlgorithm,
        clock: TimeSource, ring: SessionKeyRing
    ) {
        self.place = place
        self.schedule = schedule
        self.algorithm = algorithm
        self.clock = clock
        latest = Locked(Reading(ring: ring, number: 0))
    }

    /// The keys as this instance last read them.
    public var ring: SessionKeyRing { latest.withLock { $0.ring } }

    /// Reads the keys, and does what is due: publishes the next key, or lets it sign.
    ///
    /// - Throws: `unavailable`, `corrupt`; the keys in hand stay.
    @discardableResult
    public func refresh() async throws(AccountError) -> SessionKeyRing {
        try await changeRing { (state, now) in
            guard let state else { throw Self.gone }
            return try state.dueChange(
                at: now, schedule: self.schedule, algorithm: self.algorithm)
        }
    }

    /// Makes a new key that signs at once, and takes all earlier ones out: for keys that were
    /// stolen. Every access token is refused on each instance from its next ``refresh()`` on, and
    /// by other services when they read the published set again; refresh tokens go on.
    @discardableResult
    public func replaceAll() async throws(AccountError) -> SessionKeyRing {
        try await changeRing { (state, now) in
            guard let state else { throw Self.gone }
            return try state.replaced(at: now, algorithm: self.algorithm)
        }
    }

    /// Receives the stored state (nil for none yet) and the time in seconds since 1970, and returns
    /// the state to store (nil for no change).
    private typealias Work = @Sendable (KeyRingState?, Int64) throws -> KeyRingState?

    /// Changes the stored ring by `work`, and takes it in hand, unless a later reading came first.
    ///
    /// - Returns: the ring in hand.
    private func changeRing(_ work: @escaping Work) async throws(AccountError) -> SessionKeyRing {
        // Locked, because the closure may run on any thread.
        let readingNumber = Locked<UInt64>(0)
        let ring = try await Self.changeStoredRing(at: place, clock: clock) { (state, now) in
            // Numbered while no other call reads or writes the stored ring: of two results, the
            // one with the higher number is newer, whichever arrives first.
            let number = self.lastReadingNumber.withLock { last in
                last &+= 1
                return last
            }
            readingNumber.withLock { $0 = number }
            return try work(state, now)
        }
        return latest.withLock { latest in
            let number = readingNumber.withLock { $0 }
            if latest.number <= number { latest = Reading(ring: ring, number: number) }
            return latest.ring
        }
    }

    /// Reads the stored state, stores the state that `work` returns, and returns its ring. `work`
    /// may run again.
    private static func changeStoredRing(
        at place: KeyRingPlace, clock: TimeSource, by work: @escaping Work
    ) async throws(AccountError) -> SessionKeyRing {
        let found = Locked<SessionKeyRing?>(nil)
        try await place.update { (kept) throws(AccountError) in
            var state: KeyRingState?
            if let kept { state = try KeyRingState(kept) }
            let now = Int64(wholeSeconds: clock.now().secondsSince1970)
            do {
                let changed = try work(state, now)
                found.withLock { $0 = (changed ?? state)?.ring }
                return try changed?.document()
            } catch let error as AccountError {
                throw error
            } catch {
                throw AccountError(
                    .unavailable, underlying: error, "A signing key could not be made.")
            }
        }
        guard let ring = found.withLock({ $0 }) else { throw gone }
        return ring
    }

    private static var gone: AccountError {
        AccountError(.corrupt, "The signing keys are gone from where they were kept.")
    }
}

extension Int64 {
    /// The whole seconds of a clock. `NumericDate` bounds them, far inside of 64 bits, so 0 never
    /// takes their place.
    fileprivate init(wholeSeconds seconds: Double) {
        self = Int64(exactly: seconds.rounded(.down)) ?? 0
    }
}
