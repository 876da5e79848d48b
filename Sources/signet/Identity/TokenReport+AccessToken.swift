// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetJOSE

extension TokenReport {
    /// What an access token grants, and to whom.
    init(_ token: VerifiedAccessToken) {
        var (principal, subject) = ("client", String?.none)
        if case .user(let user) = token.principal { (principal, subject) = ("user", user) }
        self.init(
            name: "token", claims: token.signedClaims,
            fields: [
                .text("issuer", "issuer", token.issuer),
                .text("principal", "acts as", principal), .text("subject", "subject", subject),
                .text("clientID", "client", token.clientID), .list("audience", token.audience),
                .list("scopes", token.scopes), .list("roles", token.roles),
                .text("tokenID", "token", token.tokenID),
                .time("authenticationTime", "signed in", token.authenticationTime),
                .text("authenticationContext", "context", token.authenticationContext),
                .text("keyID", "key", token.keyID), .time("issuedAt", "issued", token.issuedAt),
                .time("expiration", "expires", token.expiration),
            ])
    }
}
