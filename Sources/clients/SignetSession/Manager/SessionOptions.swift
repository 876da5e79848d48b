// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How a ``SessionManager`` keeps a session.
public struct SessionOptions: Sendable {
    /// How long before its end an access token is exchanged: 300 s; 0 to 24 h, and at most half the
    /// token's lifetime.
    public var lead: Duration = .seconds(300)
    /// Whether tokens are exchanged ahead of need, without a call for a token.
    public var refreshesAhead = true
    /// The limit for an exchange with the server, and for waiting while another process exchanges:
    /// 30 s; 1 s to 10 min.
    public var requestTimeout: Duration = .seconds(30)
    /// The longest pause after failures: 60 s; 1 s to 1 h. Pauses begin at 1 s and double, each
    /// reduced by up to half at random. A server's `Retry-After` is respected up to an hour.
    public var maximumPause: Duration = .seconds(60)

    /// The defaults.
    public init() {}

    func check() throws(SessionError) {
        if let fault = ParameterRange.fault(
            .init("lead", value: lead, in: .zero ... .seconds(86_400)),
            .init("requestTimeout", value: requestTimeout, in: .seconds(1) ... .seconds(600)),
            .init("maximumPause", value: maximumPause, in: .seconds(1) ... .seconds(3600)))
        {
            throw SessionError(.invalidOption, fault)
        }
    }
}
