// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    public import Logging
    public import SignetAccounts
    public import SignetGoTrue
    public import SignetHummingbirdAccounts

    extension AccountUpkeep {
        /// The upkeep of a service with GoTrue's interface, which deletes what has ended
        /// (`GoTrueService.sweep()`), exchanges the signing keys in time, and sends messages.
        ///
        /// - Parameters:
        ///   - service: the service.
        ///   - keys: the keys that sign its tokens. Without them, it keeps the keys that it has.
        ///   - outbox: sends the messages of codes and notices.
        ///   - logger: logs what fails, and each change of the keys.
        public init(
            of service: GoTrueService, keys: SigningKeys? = nil, outbox: Outbox?, logger: Logger
        ) {
            self.init(
                of: service.sessions, sweep: service.upkeep, keys: keys, outbox: outbox,
                logger: logger)
        }
    }
#endif
