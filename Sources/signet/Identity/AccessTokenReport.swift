// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetJOSE

/// What an access token grants and to whom, for people and for scripts.
struct AccessTokenReport {
    private let token: VerifiedAccessToken

    init(_ token: VerifiedAccessToken) { self.token = token }

    func print(json: Bool) throws {
        guard json else { return try Output.line(text) }
        let encoder = JSONTokenEncoder(allowsFragments: true)
        // The claims as they were signed: a number with many digits keeps them all.
        let texts = [
            "claims": JSONOutput.oneLine(token.signedClaims),
            "token": JSONOutput.oneLine(try encoder.encode(JSONValue.object(members))),
        ]
        try Output.line(JSONOutput.line(["valid": .bool(true)], texts: texts))
    }

    private var text: String {
        let rows: [(String, String?)] = [
            ("issuer", token.issuer), ("subject", token.subject), ("client", token.clientID),
            ("audience", Self.list(token.audience)), ("scopes", Self.list(token.scopes)),
            ("roles", Self.list(token.roles)), ("token", token.tokenID),
            ("signed in", token.authenticationTime.map(IdentityReport.seconds)),
            ("context", token.authenticationContext), ("key", token.keyID),
            ("issued", IdentityReport.seconds(token.issuedAt)),
            ("expires", IdentityReport.seconds(token.expiration)),
        ]
        var table = Table([])
        for (name, value) in rows { if let value { table.add([name, value]) } }
        return String(table.text.drop { $0 == "\n" })
    }

    private var members: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "issuer": .string(token.issuer), "subject": .string(token.subject),
            "audience": Self.array(token.audience), "scopes": Self.array(token.scopes),
            "roles": Self.array(token.roles), "issuedAt": IdentityReport.number(token.issuedAt),
            "expiration": IdentityReport.number(token.expiration),
        ]
        let texts = [
            "clientID": token.clientID, "tokenID": token.tokenID, "keyID": token.keyID,
            "authenticationContext": token.authenticationContext,
        ]
        for (name, text) in texts { if let text { members[name] = .string(text) } }
        if let time = token.authenticationTime {
            members["authenticationTime"] = IdentityReport.number(time)
        }
        return members
    }

    private static func list(_ texts: [String]) -> String? {
        texts.isEmpty ? nil : texts.joined(separator: " ")
    }

    private static func array(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}
