// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetJOSE

extension TokenReport {
    /// Reports the grants of an access token, and their holder.
    init(_ token: VerifiedAccessToken) {
        var principal = "client"
        var subject: String?
        if case .user(let user) = token.principal {
            principal = "user"
            subject = user
        }
        self.init(
            name: "token", claims: token.signedClaims,
            fields: [
                .text("issuer", label: "issuer", value: token.issuer),
                .text("principal", label: "acts as", value: principal),
                .text("subject", label: "subject", value: subject),
                .text("clientID", label: "client", value: token.clientID),
                .list("audience", values: token.audience),
                .list("scopes", values: token.scopes), .list("roles", values: token.roles),
                .text("tokenID", label: "token", value: token.tokenID),
                .time("authenticationTime", label: "signed in", value: token.authenticationTime),
                .text(
                    "authenticationContext", label: "context", value: token.authenticationContext),
                .actor("actor", label: "actor", value: token.actor),
                .actor("permittedActor", label: "may act", value: token.permittedActor),
                Self.details(token.authorizationDetails),
                .text("keyID", label: "key", value: token.keyID),
                .time("issuedAt", label: "issued", value: token.issuedAt),
                .time("expiration", label: "expires", value: token.expiration),
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
