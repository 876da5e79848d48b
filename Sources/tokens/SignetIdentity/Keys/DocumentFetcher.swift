// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Fetches one JSON document of an issuer by HTTP: its keys (`https://idp.example/keys`), or its
/// metadata, which say where the keys and endpoints are. Used by ``KeyFetcher`` and
/// ``ProviderMetadata``: `try await fetcher.document(at: url).body`.
///
/// A *transport* sends the requests; the program chooses it. The fetcher enforces the limits of
/// time, size and redirects itself, whether or not the transport does.
struct DocumentFetcher: Sendable {
    struct Document: Sendable {
        let body: [UInt8]
        /// How long the document may be kept, by the server's `Cache-Control`; nil if it does not
        /// say.
        let lifetime: Duration?
        /// How long the document had been in a cache.
        let cacheAge: Duration
        /// When the document was requested, by the clock of the options. Its age counts from then
        /// (RFC 9111, section 4.2.3).
        let requestedAt: Duration
    }

    let transport: any IdentityTransport
    let options: KeySetOptions

    /// Fetches the document at `url`, or at a redirect's target on the same origin. The timeout
    /// covers all redirects together.
    func document(at url: EndpointURL) async throws(KeySourceError) -> Document {
        let start = options.clock.elapsed()
        var url = url
        var redirects = 0
        while true {
            let requestedAt = options.clock.elapsed()
            // A clock that goes back must not give more time.
            let remaining = min(options.timeout, options.timeout - (requestedAt - start))
            guard remaining > .zero else { throw Self.timedOut }
            let response = try await fetchResponse(from: url, within: remaining)
            switch response.status {
            case 200:
                return Document(
                    body: response.body, lifetime: FreshnessLifetime.of(response),
                    cacheAge: FreshnessLifetime.age(of: response), requestedAt: requestedAt)
            case 301, 302, 303, 307, 308:
                redirects += 1
                guard redirects <= options.maximumRedirects else {
                    throw KeySourceError(
                        .redirect,
                        "The server redirects more than \(options.maximumRedirects) times.")
                }
                url = try Self.target(of: response, from: url)
            default:
                throw KeySourceError(.status, "The server answered with status \(response.status).")
            }
        }
    }

    /// Sends one request. Its answer is in time and not too long, or an error.
    private func fetchResponse(
        from url: EndpointURL, within time: Duration
    ) async throws(KeySourceError) -> TransportResponse {
        let request = TransportRequest(
            url: url, maximumBodyByteCount: options.maximumByteCount, timeout: time)
        // Ends in time even if the transport hangs.
        let outcome = await TimedExchange.outcome(
            of: request, over: transport, clock: options.clock)
        switch outcome {
        case .success(let response):
            guard response.body.count <= options.maximumByteCount else { throw tooLarge }
            return response
        case .failure(let failure):
            if failure.code == .timedOut { throw Self.timedOut }
            if failure.code == .bodyTooLarge { throw tooLarge }
            throw KeySourceError(
                .unreachable, underlying: failure,
                "There was no complete answer. \(messageOf: failure)")
        }
    }

    /// A redirect's target: an absolute address or path, never with another scheme, host or port.
    private static func target(
        of response: TransportResponse, from url: EndpointURL
    ) throws(KeySourceError) -> EndpointURL {
        let locations = response.values(of: "Location")
        guard locations.count == 1, let location = locations.first,
            let target = url.resolving(location: location)
        else {
            throw KeySourceError(
                .redirect, "The redirect names no single address that may be followed.")
        }
        guard target.hasSameOrigin(as: url) else {
            throw KeySourceError(.redirect, "The server redirects to another scheme, host or port.")
        }
        return target
    }

    private static var timedOut: KeySourceError {
        KeySourceError(.timedOut, "The server did not answer in time.")
    }

    private var tooLarge: KeySourceError {
        KeySourceError(.tooLarge, "The answer is longer than \(options.maximumByteCount) bytes.")
    }
}

extension EndpointURL {
    /// The address of a `Location` (RFC 9110, section 10.2.2): `https://idp.example/b` or `/b`.
    /// Relative paths (`b`) and network paths (`//host`) are not followed. ``named(_:)`` reads an
    /// address that a server gives, and says whether it may be used.
    fileprivate func resolving(location: String) -> EndpointURL? {
        guard location.utf8.first == UInt8(ascii: "/") else { return named(location) }
        guard !location.utf8.starts(with: "//".utf8) else { return nil }
        let portText = port.map { ":\($0)" } ?? ""
        return named("\(scheme)://\(host)\(portText)\(location)")
    }
}
