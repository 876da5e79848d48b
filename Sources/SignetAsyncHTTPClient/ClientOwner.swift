// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
    internal import AsyncHTTPClient
    internal import NIOHTTPCompression

    /// Shuts down the client that it made: deallocating a running client ends the process.
    final class ClientOwner: Sendable {
        let client: HTTPClient
        private let isOwn: Bool

        init(_ client: HTTPClient) {
            self.client = client
            isOwn = false
        }

        init() {
            var configuration = HTTPClient.Configuration(
                redirectConfiguration: .disallow,
                // Bounds what one step decompresses, regardless of the request's own limit.
                decompression: .enabled(limit: .size(16_777_216)))
            configuration.connectionPool.retryConnectionEstablishment = false
            client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            isOwn = true
        }

        // A second shutdown only reports an error; the closure keeps the client until its
        // connections are gone.
        deinit { if isOwn { client.shutdown { _ in } } }

        func shutdown() async {
            // It fails if it was already shut down.
            if isOwn { try? await client.shutdown() }
        }
    }
#endif
