// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity

/// A provider's endpoints from its metadata, a JSON document that says where they are:
/// `try await source.endpoints().token` is the address of the token endpoint.
///
/// The document is fetched once for all callers and again after an hour, or once an endpoint seems
/// to be gone. If a fetch fails, the known endpoints serve for up to a day: endpoints rarely move.
actor EndpointSource {
    /// Older endpoints are fetched again, in the background.
    private static let freshFor = Duration.seconds(3_600)
    /// Older endpoints are not used any more.
    private static let servesFor = Duration.seconds(86_400)
    /// The least time between two attempts while the known endpoints serve.
    private static let triesEvery = Duration.seconds(30)
    /// How long a failure is reported without a new attempt, if there are no endpoints to serve.
    private static let failureStandsFor = Duration.seconds(1)
    private typealias Outcome = Result<SignInEndpoints, KeySourceError>

    private let fetch: @Sendable () async throws(KeySourceError) -> SignInEndpoints
    private let clock: TimeSource
    private var known: (endpoints: SignInEndpoints, since: Duration)?
    /// The running fetch.
    private var flight: Task<Outcome, Never>?
    /// Nil once a fetch has succeeded.
    private var lastFailure: (error: KeySourceError, at: Duration)?
    /// When an endpoint that seemed to be gone last caused a fetch.
    private var refreshedAt: Duration?

    /// - Parameter options: the limits and the clock of each fetch.
    init(
        _ endpoints: CodeFlow.Endpoints, transport: some IdentityTransport,
        options: KeySetOptions
    ) {
        clock = options.clock
        fetch = { () async throws(KeySourceError) in
            switch endpoints {
            case .fixed(let authorization, let token):
                SignInEndpoints(authorization: authorization, token: token)
            case .discovered(let url, let issuers):
                try SignInEndpoints(
                    await ProviderMetadata.fetch(
                        at: url, expecting: issuers, over: transport, options: options))
            }
        }
    }

    /// Waits only if there are no endpoints to serve and no attempt has just failed. Anyone can
    /// begin sign-ins, which must not flood a provider that is down.
    func endpoints() async throws(KeySourceError) -> SignInEndpoints {
        let now = clock.elapsed()
        if let known, now - known.since < Self.servesFor {
            let mayTry = lastFailure.map { now - $0.at >= Self.triesEvery } ?? true
            if now - known.since >= Self.freshFor, mayTry { _ = runningFetch() }
            return known.endpoints
        }
        if let lastFailure, (.zero..<Self.failureStandsFor).contains(now - lastFailure.at) {
            throw lastFailure.error
        }
        return try await runningFetch().value.get()
    }

    /// Begins a fetch if a failed exchange suggests that the endpoints are gone, at most once in 30
    /// s.
    ///
    /// The failed request is not repeated: its code may have been spent. The next sign-in gets the
    /// new endpoints.
    func refreshIfMoved(after error: AuthorizationError) {
        let now = clock.elapsed()
        let isRecent = refreshedAt.map { (.zero..<Self.triesEvery).contains(now - $0) } ?? false
        guard error.suggestsMovedEndpoint, !isRecent, flight == nil else { return }
        refreshedAt = now
        _ = runningFetch()
    }

    /// The running fetch, which all callers share. Begins a fetch if none runs. Cancelling a caller
    /// does not stop the fetch.
    private func runningFetch() -> Task<Outcome, Never> {
        if let flight { return flight }
        let task = Task.detached { [fetch] in
            let outcome = await Outcome(of: fetch)
            await self.finishFetch(outcome)
            return outcome
        }
        flight = task
        return task
    }

    /// Keeps what a fetch brought. After a failure, the known endpoints stay.
    private func finishFetch(_ outcome: Outcome) {
        flight = nil
        switch outcome {
        case .success(let endpoints):
            known = (endpoints, clock.elapsed())
            lastFailure = nil
        case .failure(let error): lastFailure = (error, clock.elapsed())
        }
    }
}

extension AuthorizationError {
    /// Whether no server answered, or perhaps a server that is no OAuth endpoint. A stranger with a
    /// made-up code gets a registered error instead.
    fileprivate var suggestsMovedEndpoint: Bool {
        switch code {
        case .unavailable: status == nil
        case .invalidResponse: true
        // `{"error":"Not Found"}`
        case .refused: refusal?.registeredError == nil
        default: false
        }
    }
}
