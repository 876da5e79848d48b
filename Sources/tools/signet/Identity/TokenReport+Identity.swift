// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetEmail
internal import SignetIdentity
internal import SignetJOSE

extension TokenReport {
    /// Reports the person who has signed in.
    init(_ identity: VerifiedIdentity) {
        let (key, email) = (identity.identityKey, identity.email)
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
                .text("issuer", "issuer", identity.issuer),
                .text("subject", "subject", identity.subject),
                .list("audience", identity.audience),
                .text("authorizedParty", "authorized party", identity.authorizedParty),
                .text("tenantID", "tenant", identity.tenantID),
                .text("hostedDomain", "hosted domain", identity.hostedDomain),
                Field(
                    name: "email", value: email.address.map(JSONValue.string), label: "e-mail",
                    text: email.address.map { "\($0) (\(evidence))" }),
                Field(name: "emailEvidence", value: .string(evidence)),
                Field(name: "isPrivateRelay", value: .bool(email.isPrivateRelay)),
                .text("name", "name", identity.name), .text("picture", "picture", identity.picture),
                .time("authenticationTime", "signed in", identity.authenticationTime),
                .text("authenticationContext", "context", identity.authenticationContext),
                .text("keyID", "key", identity.keyID),
                .time("issuedAt", "issued", identity.issuedAt),
                .time("expiration", "expires", identity.expiration),
            ])
    }
}
