// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetIdentity
internal import SignetSession

/// How a program reaches the servers of its accounts.
package struct ServerConnection: Sendable {
    let transport: any IdentityTransport
    /// Keeps the program from ending in the middle of an exchange; nil for a program that drains
    /// its managers itself.
    let hold: (any ExchangeHold)?
    let clock: TimeSource

    /// - Parameter hold: keeps the program from ending in the middle of an exchange.
    package init(
        transport: some IdentityTransport, hold: (any ExchangeHold)? = nil,
        clock: TimeSource = .system
    ) {
        self.transport = transport
        self.hold = hold
        self.clock = clock
    }

    /// How ID tokens and metadata are checked.
    var options: TokenVerificationOptions {
        var options = TokenVerificationOptions()
        options.clock = clock
        options.keySet.clock = clock
        return options
    }

    /// The backend, with its exchanges held.
    func held(_ backend: any SessionBackend) -> any SessionBackend {
        guard let hold else { return backend }
        return HeldBackend(backend: backend, hold: hold)
    }

    /// The connection with this hold.
    func holding(_ hold: any ExchangeHold) -> ServerConnection {
        ServerConnection(transport: transport, hold: hold, clock: clock)
    }

    /// The transport of a sign-in.
    ///
    /// - Parameter givesTokens: whether a POST to this address may be answered with tokens.
    func signIn(
        givesTokens: @escaping @Sendable (EndpointURL) -> Bool
    ) -> SignInTransport {
        SignInTransport(transport: transport, hold: hold, givesTokens: givesTokens)
    }
}
