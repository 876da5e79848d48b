// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetJOSE

extension TokenReport {
    /// Reports the grants of an access token, and their holder.
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
                .actor("actor", "actor", token.actor),
                .actor("permittedActor", "may act", token.permittedActor),
                Self.details(token.authorizationDetails),
                .text("keyID", "key", token.keyID), .time("issuedAt", "issued", token.issuedAt),
                .time("expiration", "expires", token.expiration),
            ])
    }

    /// RFC 9396. The table has only the types.
    private static func details(_ details: [AuthorizationDetail]) -> Field {
        let values = details.map { JSONValue.object($0.members) }
        return Field(
            name: "authorizationDetails", value: values.isEmpty ? nil : .array(values),
            label: "details",
            text: values.isEmpty ? nil : details.map(\.type).joined(separator: " "))
    }
}

extension TokenReport.Field {
    /// The issuer and the subject of an actor.
    fileprivate static func actor(_ name: String, label: String, value actor: TokenActor?) -> Self {
        guard let actor else { return Self(name: name, value: nil) }
        var value: [String: JSONValue] = [:]
        if let issuer = actor.issuer { value["issuer"] = .string(issuer) }
        if let subject = actor.subject { value["subject"] = .string(subject) }
        let names = [actor.issuer, actor.subject].compactMap(\.self)
        return Self(
            name: name, value: .object(value), label: label,
            text: names.isEmpty ? "not named" : names.joined(separator: " "))
    }
}
