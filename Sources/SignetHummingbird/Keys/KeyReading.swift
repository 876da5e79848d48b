// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    public import Logging
    public import ServiceLifecycle
    public import SignetIdentity
    internal import SignetPlatform

    /// A service that rereads the signing keys from where several instances keep them, so that
    /// each takes part in a rotation.
    ///
    /// Keys that cannot be read change nothing: those in hand are good, and the next reading may
    /// succeed.
    public struct KeyReading: Service {
        private let tokens: RotatingSessionIssuer
        private let interval: Duration
        private let logger: Logger
        private let read: @Sendable () async throws -> SessionKeyRing

        /// - Parameters:
        ///   - tokens: gets each ring that was read.
        ///   - interval: how long a rotation may go unnoticed: a key is published at least this
        ///     long before it signs.
        ///   - logger: hears of a reading that fails.
        ///   - read: reads the ring from where all instances keep it.
        public init(
            into tokens: RotatingSessionIssuer, every interval: Duration = .seconds(60),
            logger: Logger,
            read: @escaping @Sendable () async throws -> SessionKeyRing
        ) {
            self.tokens = tokens
            self.interval = interval
            self.logger = logger
            self.read = read
        }

        /// Reads until the server shuts down.
        public func run() async throws {
            await cancelWhenGracefulShutdown {
                while (try? await Task.sleep(for: interval)) != nil { await take() }
            }
        }

        func take() async {
            do {
                let keys = try await read()
                guard keys.members != tokens.issuer.keys.members else { return }
                try tokens.use(keys)
                logger.notice(
                    "took other signing keys", metadata: ["kid": .string(keys.currentKeyID)])
            } catch {
                logger.error(
                    "kept the signing keys in hand: they cannot be read",
                    metadata: ["code": .string(Refusal(error).code)])
            }
        }
    }
#endif
