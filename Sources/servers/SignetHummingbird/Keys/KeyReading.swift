// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    public import Logging
    public import ServiceLifecycle
    public import SignetIdentity
    internal import SignetBase

    /// A service that rereads the signing keys that several instances share, so each takes part in
    /// a rotation.
    ///
    /// If the keys cannot be read nothing changes: the keys in hand stay valid, and the next
    /// reading may succeed.
    public struct KeyReading: Service {
        private let tokens: RotatingSessionIssuer
        private let interval: Duration
        private let logger: Logger
        private let read: @Sendable () async throws -> SessionKeyRing

        /// Makes a service, which reads once it runs.
        ///
        /// - Parameters:
        ///   - tokens: receives each ring that was read.
        ///   - interval: how long a rotation may go unnoticed: a key is published at least this
        ///     long before it signs.
        ///   - logger: logs failed readings.
        ///   - read: reads the shared ring.
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
                while (try? await Task.sleep(for: interval)) != nil { await readKeys() }
            }
        }

        /// Reads the shared ring once, and uses it if it is another ring.
        func readKeys() async {
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
