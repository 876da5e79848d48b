// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetEmail
internal import SignetIdentity
internal import SignetJOSE

/// Who has signed in, for people and for scripts.
struct IdentityReport {
    private let identity: VerifiedIdentity

    init(_ identity: VerifiedIdentity) { self.identity = identity }

    func print(json: Bool) throws {
        guard json else { return try Output.line(text) }
        let encoder = JSONTokenEncoder(allowsFragments: true)
        // The claims as they were signed: a number with many digits keeps them all.
        let texts = [
            "claims": JSONOutput.oneLine(identity.signedClaims),
            "identity": JSONOutput.oneLine(try encoder.encode(JSONValue.object(members))),
        ]
        try Output.line(JSONOutput.line(["valid": .bool(true)], texts: texts))
    }

    private var text: String {
        var rows: [(String, String?)] = [
            ("user", "\(identity.identityKey.issuer) \(identity.identityKey.subject)"),
            ("issuer", identity.issuer), ("subject", identity.subject),
            ("audience", identity.audience.joined(separator: " ")),
            ("authorized party", identity.authorizedParty),
            ("tenant", identity.tenantID), ("hosted domain", identity.hostedDomain),
            ("e-mail", identity.email.address.map { "\($0) (\(evidence))" }),
            ("name", identity.name),
            ("picture", identity.picture),
            ("signed in", identity.authenticationTime.map(Self.seconds)),
            ("context", identity.authenticationContext), ("key", identity.keyID),
        ]
        rows.append(("issued", Self.seconds(identity.issuedAt)))
        rows.append(("expires", Self.seconds(identity.expiration)))
        var table = Table([])
        for (name, value) in rows { if let value { table.add([name, value]) } }
        return String(table.text.drop { $0 == "\n" })
    }

    private var members: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "user": .object([
                "issuer": .string(identity.identityKey.issuer),
                "subject": .string(identity.identityKey.subject),
            ]),
            "issuer": .string(identity.issuer), "subject": .string(identity.subject),
            "audience": .array(identity.audience.map { .string($0) }),
            "issuedAt": Self.number(identity.issuedAt),
            "expiration": Self.number(identity.expiration),
            "emailEvidence": .string(evidence),
            "isPrivateRelay": .bool(identity.email.isPrivateRelay),
        ]
        let texts = [
            "authorizedParty": identity.authorizedParty, "tenantID": identity.tenantID,
            "hostedDomain": identity.hostedDomain, "email": identity.email.address,
            "name": identity.name,
            "picture": identity.picture, "authenticationContext": identity.authenticationContext,
            "keyID": identity.keyID,
        ]
        for (name, text) in texts { if let text { members[name] = .string(text) } }
        if let time = identity.authenticationTime {
            members["authenticationTime"] = Self.number(time)
        }
        return members
    }

    private var evidence: String {
        switch identity.email.evidence {
        case .none: "not verified"
        case .verifiedAddress: identity.email.isPrivateRelay ? "verified, forwards" : "verified"
        case .organization(let domain): "organization \(domain)"
        }
    }

    static func seconds(_ date: NumericDate) -> String {
        Int64(exactly: date.secondsSince1970).map(String.init) ?? date.description
    }

    static func number(_ date: NumericDate) -> JSONValue {
        Int64(exactly: date.secondsSince1970).map { .integer($0) } ?? .number(date.secondsSince1970)
    }
}
