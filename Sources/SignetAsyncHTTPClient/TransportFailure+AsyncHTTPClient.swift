// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import SignetIdentity

    extension TransportFailure {
        static let gaveUp = TransportFailure(.cancelled, "The caller gave up.")
        static let longBody = TransportFailure(
            .bodyTooLarge, "The body is longer than the request allows.")

        /// The failure of the client or SwiftNIO, without its text.
        init(of error: any Error) {
            if let failure = error as? TransportFailure {
                self = failure
            } else if let error = error as? HTTPClientError {
                self.init(error)
            } else {
                // These modules' types are matched by name: importing them would add all of their
                // packages.
                let type = String(reflecting: Swift.type(of: error))
                if type.contains("SSL") {
                    self = Self.untrusted
                } else if type.contains("Decompression") {
                    self = "\(error)".contains("limit") ? .longBody : Self.unreadable
                } else if type.hasPrefix("NIOHTTP1") || type.hasPrefix("NIOHTTP2") {
                    self = Self.unreadable
                } else if error is CancellationError {
                    self = .gaveUp
                } else {
                    self.init(
                        .unreachable,
                        "No connection, or it broke before the answer was complete (\(shown: type))."
                    )
                }
            }
        }

        private init(_ error: HTTPClientError) {
            switch error {
            case .cancelled, .requestStreamCancelled:
                self = .gaveUp
            case .connectTimeout, .readTimeout, .writeTimeout, .deadlineExceeded,
                .tlsHandshakeTimeout,
                .getConnectionFromPoolTimeout, .httpProxyHandshakeTimeout, .socksHandshakeTimeout:
                self.init(.timedOut, "No complete answer in time.")
            case .redirectLimitReached, .redirectCycleDetected:
                self = Self.unreadable
            default:
                self.init(
                    .unreachable,
                    "No connection, or it broke before the answer was complete (\(shown: error.shortDescription))."
                )
            }
        }

        private static let untrusted = TransportFailure(
            .notTrusted, "The server's certificate is not trusted, or TLS failed otherwise.")
        private static let unreadable = TransportFailure(
            .invalidResponse, "The response is not valid HTTP.")
    }
#endif
