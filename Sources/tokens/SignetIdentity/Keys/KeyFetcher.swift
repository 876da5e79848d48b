// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// One attempt to fetch the public keys of an issuer, for ``RemoteKeySet``:
/// `await fetcher.fetch(nil, lacking: nil)` brings keys, or the reason why there are none.
///
/// Keys at a fixed address take one request. By discovery, a JSON document of the issuer, its
/// *metadata*, names the address of the keys (`"jwks_uri": "https://idp.example/keys"`):
///
/// 1. Without fresh metadata, the attempt reads the metadata, then the keys at the place that the
///    metadata name.
/// 2. With fresh metadata, it reads the keys at the known place at once.
/// 3. If step 2 fails, or brings the very keys that lacked a token's key, the keys may have moved:
///    it reads the metadata again, and the keys at a new place, if the metadata name one.
struct KeyFetcher: Sendable {
    /// The result of an attempt.
    struct Fetched: Sendable {
        let keys: PublishedKeys
        /// How long the keys are fresh, from `requestedAt` on.
        let lifetime: Duration
        let requestedAt: Duration
        /// How long the keys had been in a cache.
        let cacheAge: Duration
        var metadata: KnownMetadata?
        /// Whether this attempt made sure that the issuer publishes its keys at this place.
        var isAtPublishedPlace: Bool
        /// Why it is unknown whether the keys have moved; nil if the attempt did not ask, or found
        /// out.
        var doubt: KeySourceError?
    }

    /// The part of the metadata that fetching keys needs, with their lifetime.
    struct KnownMetadata: Sendable {
        /// The address of the keys.
        let jwksURI: EndpointURL
        let requestedAt: Duration
        var lifetime: Duration

        /// Whether the metadata are fresh.
        func isGood(at now: Duration) -> Bool {
            let age = now - requestedAt
            return age >= .zero && age < lifetime
        }

        /// The same metadata, kept no longer than the keys that they led to.
        func limited(to keyLifetime: Duration) -> KnownMetadata {
            var metadata = self
            metadata.lifetime = min(lifetime, keyLifetime)
            return metadata
        }
    }

    /// The issuer as an address; nil if the keys are not found by discovery.
    let issuer: EndpointURL?
    let location: RemoteKeySet.Location
    let transport: any IdentityTransport
    let options: KeySetOptions

    private var documents: DocumentFetcher {
        DocumentFetcher(transport: transport, options: options)
    }

    /// Fetches the keys, after the metadata unless they are known.
    ///
    /// - Parameters:
    ///   - metadata: the metadata that were read last, if they are fresh.
    ///   - lacking: the keys that lacked the key of a token, if a token is the reason for the
    ///     fetch. If the fetch brings the same keys, the issuer may publish its keys at a new
    ///     place.
    func fetch(
        _ metadata: KnownMetadata?, lacking: KeySnapshot?
    ) async -> Result<Fetched, KeySourceError> {
        do {
            return .success(try await fetchKeys(metadata, lacking: lacking))
        } catch {
            return .failure(error)
        }
    }

    /// Fetches from the location's own address, from the place that the metadata named last, or
    /// from the place that fresh metadata name.
    private func fetchKeys(
        _ metadata: KnownMetadata?, lacking: KeySnapshot?
    ) async throws(KeySourceError) -> Fetched {
        switch location {
        case .keySet(let url), .certificates(let url):
            return try await keys(at: url, metadata: nil, isPublishedPlace: true)
        case .discovery, .discoveryAt:
            guard let metadata else {
                return try await keys(at: try await fetchMetadata())
            }
            let fetched: Fetched
            do {
                fetched = try await keys(
                    at: metadata.jwksURI, metadata: metadata, isPublishedPlace: false)
            } catch {
                return try await keysAtNewPlace(insteadOf: metadata.jwksURI, after: error)
            }
            guard let lacking, lacking.holdsSame(as: fetched.keys) else { return fetched }
            return try await keysAtPublishedPlace(fetched, from: metadata.jwksURI)
        }
    }

    /// The keys at the metadata's present place, after the known place failed.
    private func keysAtNewPlace(
        insteadOf place: EndpointURL, after error: KeySourceError
    ) async throws(KeySourceError) -> Fetched {
        // After a timeout, callers have already waited for a provider that hangs. Without metadata,
        // for whatever reason, the error of the known place is the one to report.
        guard error.code != .timedOut, let known = try? await fetchMetadata(),
            known.jwksURI != place
        else {
            throw error
        }
        return try await keys(at: known)
    }

    /// The keys at the metadata's present place. If the metadata are unavailable, the fetched keys
    /// stay.
    private func keysAtPublishedPlace(
        _ fetched: Fetched, from place: EndpointURL
    ) async throws(KeySourceError) -> Fetched {
        let known: KnownMetadata
        do throws(KeySourceError) {
            known = try await fetchMetadata()
        } catch {
            var fetched = fetched
            fetched.doubt = error
            return fetched
        }
        guard known.jwksURI == place else { return try await keys(at: known) }
        var fetched = fetched
        fetched.metadata = known.limited(to: fetched.lifetime)
        fetched.isAtPublishedPlace = true
        return fetched
    }

    /// Reads the issuer's metadata.
    private func fetchMetadata() async throws(KeySourceError) -> KnownMetadata {
        guard let issuer else {
            throw KeySourceError(.invalidDocument, "The issuer is not a URL.")
        }
        let document = try await documents.document(at: try ProviderMetadata.location(of: issuer))
        let metadata = try ProviderMetadata(document.body, at: issuer, expecting: [issuer.text])
        return KnownMetadata(
            jwksURI: metadata.jwksURI, requestedAt: document.requestedAt,
            lifetime: clamped(document.lifetime))
    }

    /// The keys at the place that metadata just read name.
    private func keys(at known: KnownMetadata) async throws(KeySourceError) -> Fetched {
        try await keys(at: known.jwksURI, metadata: known, isPublishedPlace: true)
    }

    /// The keys at an address.
    ///
    /// - Parameter isPublishedPlace: whether it is certain that the issuer publishes its keys
    ///   there.
    private func keys(
        at url: EndpointURL, metadata: KnownMetadata?, isPublishedPlace: Bool
    ) async throws(KeySourceError) -> Fetched {
        let document = try await documents.document(at: url)
        // Published certificates have a validity. With a clock out of range, none is valid.
        let seconds = options.clock.now().secondsSince1970.rounded(.down)
        let now = Int64(exactly: seconds) ?? .max
        let keys = try readKeys(document.body, secondsSince1970: now)
        var lifetime = clamped(document.lifetime)
        // The set is due again when the first of its certificates expires.
        if let notAfter = keys.notAfter, notAfter >= now {
            // With a clock out of range, an overflow is negative: the shortest lifetime.
            let remaining = notAfter.subtractingReportingOverflow(now).partialValue
            lifetime = min(lifetime, clamped(.seconds(remaining)))
        }
        return Fetched(
            keys: keys, lifetime: lifetime, requestedAt: document.requestedAt,
            cacheAge: document.cacheAge, metadata: metadata?.limited(to: lifetime),
            isAtPublishedPlace: isPublishedPlace)
    }

    /// A lifetime within the options' bounds.
    ///
    /// - Parameter lifetime: what the server says; nil if it says nothing.
    private func clamped(_ lifetime: Duration?) -> Duration {
        let bounds = options.lifetimeBounds
        return min(max(lifetime ?? options.defaultLifetime, bounds.lowerBound), bounds.upperBound)
    }

    /// Reads a document of the location's kind: a JWK set, or certificates. A document without a
    /// usable key is an error, so that it does not replace keys in hand.
    private func readKeys(
        _ document: [UInt8], secondsSince1970 now: Int64
    ) throws(KeySourceError) -> PublishedKeys {
        let keys: PublishedKeys
        do {
            keys =
                if case .certificates = location {
                    try PublishedKeys(
                        certificates: document, algorithms: options.algorithms,
                        maximumKeyCount: options.maximumKeyCount, secondsSince1970: now)
                } else {
                    try PublishedKeys(
                        jwks: document, algorithms: options.algorithms,
                        maximumKeyCount: options.maximumKeyCount)
                }
        } catch {
            throw KeySourceError(
                error.code == .tooLarge ? .tooLarge : .invalidDocument, underlying: error,
                "\(messageOf: error)")
        }
        guard !keys.keys.keys.isEmpty else {
            let reason: ErrorMessage =
                keys.keys.skipped.first.map {
                    "; the first one was skipped: \(messageOf: $0.reason)"
                } ?? ""
            throw KeySourceError(
                .noUsableKeys, "None of \(keys.keys.skipped.count) keys can be used\(reason)")
        }
        return keys
    }
}
