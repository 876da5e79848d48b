// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetEmail
internal import SignetIdentity
internal import SignetJOSE

extension TokenReport {
    /// Reports the person who has signed in.
    init(_ identity: VerifiedIdentity) {
        let key = identity.identityKey
        let email = identity.email
        let evidence =
            switch email.evidence {
            case .none: "not verified"
            case .verifiedAddress: email.isPrivateRelay ? "verified, forwards" : "verified"
            case .organization(let domain): "organization \(domain)"
            }
        self.init(
            name: "identity", claims: identity.signedClaims,
            fields: [
                Field(
                    name: "user",
                    value: ["issuer": .string(key.issuer), "subject": .string(key.subject)],
                    label: "user", text: "\(key.issuer) \(key.subject)"),
                .text("issuer", label: "issuer", value: identity.issuer),
                .text("subject", label: "subject", value: identity.subject),
                .list("audience", values: identity.audience),
                .text(
                    "authorizedParty", label: "authorized party", value: identity.authorizedParty),
                .text("tenantID", label: "tenant", value: identity.tenantID),
                .text("hostedDomain", label: "hosted domain", value: identity.hostedDomain),
                Field(
                    name: "email", value: email.address.map(JSONValue.string), label: "e-mail",
                    text: email.address.map { "\($0) (\(evidence))" }),
                Field(name: "emailEvidence", value: .string(evidence)),
                Field(name: "isPrivateRelay", value: .bool(email.isPrivateRelay)),
                .text("name", label: "name", value: identity.name),
                .text("picture", label: "picture", value: identity.picture),
                .time("authenticationTime", label: "signed in", value: identity.authenticationTime),
                .text(
                    "authenticationContext", label: "context", value: identity.authenticationContext
                ),
                .text("keyID", label: "key", value: identity.keyID),
                .time("issuedAt", label: "issued", value: identity.issuedAt),
                .time("expiration", label: "expires", value: identity.expiration),
            ])
    }
}
