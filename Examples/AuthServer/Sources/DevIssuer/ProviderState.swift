// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE
internal import Synchronization

/// What the routes share.
final class ProviderState: Sendable {
    let configuration: DevIssuerConfiguration
    let keys: IssuerKeys
    let codes = PendingCodes()
    let devices = PendingDevices()
    let refreshTokens = RefreshTokens()
    private let mint: Mint
    private let address = Mutex("")

    init(_ configuration: DevIssuerConfiguration, clock: TimeSource) throws(KeyError) {
        self.configuration = configuration
        keys = try IssuerKeys()
        mint = Mint(keys: keys, clock: clock)
    }

    /// `iss`, which is known once the port is.
    var issuer: String { address.withLock { $0 } }

    func listens(on port: Int) { address.withLock { $0 = "http://127.0.0.1:\(port)" } }

    func idToken(_ wish: MintRequest) throws -> String {
        try mint.idToken(wish, issuer: issuer, clientIDs: configuration.clientIDs)
    }
}
