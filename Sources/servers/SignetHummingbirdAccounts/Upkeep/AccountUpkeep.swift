// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    public import Logging
    public import ServiceLifecycle
    public import SignetAccounts
    internal import SignetBase
    internal import SignetHummingbird
    public import SignetIdentity

    /// The service that does what accounts need beside the requests, until the server shuts down:
    /// it deletes what has ended, exchanges the signing keys in time, and sends messages.
    ///
    /// ```swift
    /// application.addServices(AccountUpkeep(of: sessions, keys: keys, logger: application.logger))
    /// ```
    ///
    /// Each instance of a server runs one. A failure is logged by its codes, and tried again.
    public struct AccountUpkeep: Service {
        private let sweep: AccountSweep
        private let sweepPause: Duration
        private let keyReading: KeyReading?
        private let outbox: Outbox?
        private let logger: Logger

        /// The upkeep of a program's parts. A part that it does not have is nil.
        ///
        /// - Parameters:
        ///   - sessions: the sessions, which are swept, and whose tokens the keys sign.
        ///   - keys: the keys. Without them, the sessions keep the keys that they have.
        ///   - longTokens: a second issuer with the same keys.
        ///   - codes: the codes, which are swept.
        ///   - limits: the limits, which are swept.
        ///   - guests: which guests are deleted.
        ///   - outbox: sends the messages of codes and notices.
        ///   - keyPause: how long a rotation may go unnoticed: a key is published at least this
        ///     long before it signs.
        ///   - sweepPause: how long to wait before each sweep.
        ///   - logger: logs what fails, and each change of the keys.
        public init(
            of sessions: RefreshTokens, keys: SigningKeys? = nil,
            longTokens: RotatingSessionIssuer? = nil, codes: OneTimeCodes? = nil,
            limits: RateLimits? = nil, guests: GuestRetention? = nil, outbox: Outbox? = nil,
            keyPause: Duration = .seconds(60), sweepPause: Duration = .seconds(3600),
            logger: Logger
        ) {
            self.init(
                of: sessions,
                sweep: AccountSweep(sessions, codes: codes, limits: limits, guests: guests),
                keys: keys, longTokens: longTokens, outbox: outbox, keyPause: keyPause,
                sweepPause: sweepPause, logger: logger)
        }

        /// The upkeep with a sweep of the caller's.
        package init(
            of sessions: RefreshTokens, sweep: AccountSweep, keys: SigningKeys? = nil,
            longTokens: RotatingSessionIssuer? = nil, outbox: Outbox? = nil,
            keyPause: Duration = .seconds(60), sweepPause: Duration = .seconds(3600),
            logger: Logger
        ) {
            self.sweep = sweep
            self.sweepPause = sweepPause
            self.outbox = outbox
            self.logger = logger
            keyReading = keys.map { keys in
                KeyReading(
                    into: longTokens ?? RotatingSessionIssuer(sessions.issuer), every: keyPause,
                    logger: logger
                ) {
                    let ring = try await keys.refresh()
                    try sessions.use(sessions.issuer.using(ring))
                    return ring
                }
            }
        }

        /// Works until the server shuts down.
        public func run() async throws {
            await cancelWhenGracefulShutdown {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { await sweep.run(every: sweepPause) { log($0, of: "sweep") } }
                    if let keyReading { group.addTask { try? await keyReading.run() } }
                    if let outbox { group.addTask { await outbox.run { log($0, of: "outbox") } } }
                }
            }
        }

        private func log(_ error: AccountError, of work: String) {
            logger.error(
                "upkeep failed", metadata: ["work": "\(work)", "code": "\(error.fullCode)"])
        }
    }
#endif
