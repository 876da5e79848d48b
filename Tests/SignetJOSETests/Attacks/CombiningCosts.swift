// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

/// A run of combining characters in every string of a token, a key and a key set: refusing it, or
/// reading it, costs what its bytes cost. Review F1: one `alg` of 16 KB took half a second, one key
/// of a set minutes.
@Suite struct CombiningCosts {
    static let all = tokens + claims + hints + keys + keySets

    @Test("A run of 8 KiB costs what its bytes cost", arguments: all)
    func small(_ member: HostileMember) throws { try member.expectLinear(byteCount: 8_192) }

    @Test(
        "A run of 64 or 512 KiB costs what its bytes cost", .tags(.fuzzing), arguments: all,
        [65_536, 524_288])
    func large(_ member: HostileMember, _ byteCount: Int) throws {
        try member.expectLinear(byteCount: byteCount)
    }
}

// MARK: - Tokens

extension CombiningCosts {
    private static let maximumTokenByteCount = 262_144

    private static func verifier() throws -> TokenVerifier {
        try TokenVerifier(
            hmacKey: TestKeys.hmac(),
            policy: TokenPolicy(
                issuer: TestClaims.issuer, audience: ["api"], requiredClaims: ["sub"],
                maximumTokenByteCount: maximumTokenByteCount,
                clock: .fixed(secondsSince1970: TestClaims.now)))
    }

    private static func signed(_ header: String, _ claims: String) throws -> String {
        try Forge.token(header, claims, by: Forge.hmac(TestKeys.secret))
    }

    private static let header = TestKeys.header("HS256")

    /// As many roles as fill the size.
    private static func goodToken(_ byteCount: Int) throws -> String {
        let roles = (0..<byteCount / 14).map { #""role-\#(10_000 + $0)""# }.joined(separator: ",")
        return try signed(header, TestClaims.json(adding: #""roles":[\#(roles)]"#))
    }

    /// Every member of a header that is a string, or may hold one, by the header that it stands in.
    private static let headers: [(String, HostileMember.Maker)] = [
        ("alg", { #"{"alg":"\#($0)"}"# }),
        ("alg with a known beginning", { #"{"alg":"HS256\#($0)"}"# }),
        ("kid", { #"{"alg":"HS256","kid":"\#($0)"}"# }),
        ("kid with a known beginning", { #"{"alg":"HS256","kid":"k1\#($0)"}"# }),
        ("typ", { #"{"alg":"HS256","kid":"k1","typ":"\#($0)"}"# }),
        ("typ with a known beginning", { #"{"alg":"HS256","kid":"k1","typ":"JWT\#($0)"}"# }),
        ("cty", { #"{"alg":"HS256","kid":"k1","cty":"\#($0)"}"# }),
        ("crit", { #"{"alg":"HS256","kid":"k1","crit":["\#($0)"]}"# }),
        ("b64", { #"{"alg":"HS256","kid":"k1","b64":"\#($0)"}"# }),
        ("a member's name", { #"{"alg":"HS256","kid":"k1","\#($0)":1}"# }),
        ("jku", { #"{"alg":"HS256","kid":"k1","jku":"\#($0)"}"# }),
        ("jwk", { #"{"alg":"HS256","kid":"k1","jwk":{"kty":"\#($0)"}}"# }),
    ]

    /// A header has 64 KiB at most, encoded: three bytes are four characters.
    private static let maximumHeaderByteCount = 48_000

    static let tokens: [HostileMember] = headers.flatMap { name, header in
        [
            HostileMember(
                "TokenVerifier: \(name)", maximumByteCount: maximumHeaderByteCount, good: goodToken,
                hostile: { try signed(header($0), TestClaims.json) },
                read: { token in (try? verifier().verify(token)) != nil }),
            HostileMember(
                "JWSVerifier of public keys: \(name)", maximumByteCount: maximumHeaderByteCount,
                good: { try Forge.token(TestKeys.header("ES256"), goodPayload($0), by: Forge.es256()) },
                hostile: { try Forge.compact(header($0).replacing("HS256", with: "ES256"), "{}", [1]) },
                read: { token in
                    (try? JWSVerifier(keys: KeySet([TestKeys.verification(.es256)])).verify(token)) != nil
                }),
        ]
    }

    private static func goodPayload(_ byteCount: Int) -> String { String(repeating: "a", count: byteCount) }

    private static let claimSets: [(String, HostileMember.Maker)] = [
        ("iss", { TestClaims.json.replacing("https://idp.example", with: $0) }),
        (
            "iss with a known beginning",
            { TestClaims.json.replacing("idp.example", with: "idp.example" + $0) }
        ),
        ("sub", { TestClaims.json.replacing("u1", with: $0) }),
        ("aud", { TestClaims.json.replacing("api", with: $0) }),
        ("aud in a list", { TestClaims.json.replacing(#""api""#, with: #"["x","api\#($0)"]"#) }),
        ("jti", { TestClaims.json(adding: #""jti":"\#($0)""#) }),
        ("exp", { TestClaims.json(adding: #""nbf":"\#($0)""#) }),
        ("another claim", { TestClaims.json(adding: #""role":"\#($0)""#) }),
        ("a claim's name", { TestClaims.json(adding: #""\#($0)":1"#) }),
        ("a nested name", { TestClaims.json(adding: #""x":[{"\#($0)":1}]"#) }),
    ]

    static let claims: [HostileMember] = claimSets.map { name, claims in
        HostileMember(
            "claims: \(name)", maximumByteCount: 190_000, good: goodToken,
            hostile: { try signed(header, claims($0)) },
            read: { token in
                (try? verifier().verify(token, as: [String: JSONValue].self)) != nil
            })
    }

    static let hints: [HostileMember] =
        headers.map { name, header in
            HostileMember(
                "UnverifiedToken: \(name)", maximumByteCount: maximumHeaderByteCount, good: goodToken,
                hostile: { Forge.compact(try header($0), TestClaims.json, [1]) }, read: look)
        }
        + claimSets.map { name, claims in
            HostileMember(
                "UnverifiedToken: \(name)", maximumByteCount: 190_000, good: goodToken,
                hostile: { Forge.compact(header, try claims($0), [1]) }, read: look)
        }

    /// What a program does with hints: it looks for the issuer's verifier.
    private static func look(_ token: String) -> Bool {
        guard let hints = try? UnverifiedToken(token, maximumByteCount: maximumTokenByteCount) else {
            return false
        }
        let known = ["https://idp.example": 1, "https://accounts.example": 2]
        for text in [hints.algorithm, hints.keyID, hints.type, hints.issuer] {
            if let text { _ = known[text] }
        }
        return true
    }
}

// MARK: - Keys

extension CombiningCosts {
    /// Of a good key, the members that a run may stand in.
    private static let members: [(String, HostileMember.Maker)] = {
        var all: [(String, HostileMember.Maker)] = []
        let ec = #""kty":"EC","crv":"P-256","x":"AA","y":"AA""#
        for name in ["kid", "use", "alg", "x5u", "x5t", "d", "exp", "issuer"] {
            all.append((name, { #"{"\#(name)":"\#($0)",\#(ec)}"# }))
        }
        for beginning in ["sig", "ES256"] {
            let name = beginning == "sig" ? "use" : "alg"
            all.append(
                (
                    "\(name) with a known beginning",
                    { #"{"\#(name)":"\#(beginning)\#($0)",\#(goodEC.dropFirst())"# }
                ))
        }
        for name in ["kty", "crv", "x", "y"] {
            all.append(("\(name) of EC", { #"{"\#(name)":"\#($0)",\#(without(name, ec))}"# }))
        }
        for name in ["n", "e", "d", "p"] {
            all.append(
                (
                    "\(name) of RSA",
                    { #"{"kty":"RSA","\#(name)":"\#($0)",\#(without(name, #""n":"AQAB","e":"AQAB""#))}"# }
                ))
        }
        all.append(("crv of OKP", { #"{"kty":"OKP","crv":"Ed25519\#($0)","x":"AA"}"# }))
        all.append(("k", { #"{"kty":"oct","k":"\#($0)","alg":"HS256"}"# }))
        all.append(("alg of a secret", { #"{"kty":"oct","k":"AAAA","alg":"HS256\#($0)"}"# }))
        all.append(("key_ops", { #"{"key_ops":["\#($0)"],\#(goodEC.dropFirst())"# }))
        all.append(
            (
                "key_ops, several",
                { text in
                    // Not by characters: all of it is one.
                    let half = String(text.unicodeScalars.prefix(text.utf8.count / 4))
                    return #"{"key_ops":["verify","a\#(half)","b\#(half)"],\#(ec)}"#
                }
            ))
        all.append(("x5c", { #"{"x5c":["\#($0)"],\#(goodEC.dropFirst())"# }))
        all.append(("a member's name", { #"{"\#($0)":1,\#(goodEC.dropFirst())"# }))
        all.append(("kid of a good key", { #"{"kid":"\#($0)",\#(goodEC.dropFirst())"# }))
        return all
    }()

    /// Without `alg` and `kid`.
    private static let goodEC = (try? JWK(pem: TestPrivatePEM.p256).publicJSON()) ?? "{}"

    private static func without(_ name: String, _ members: String) -> String {
        members.split(separator: ",").filter { !$0.hasPrefix("\"\(name)\"") }.joined(separator: ",")
    }

    static let keys: [HostileMember] = members.map { name, key in
        HostileMember(
            "JWK: \(name)", maximumByteCount: 30_000,
            good: {
                #"{"kid":"k1","x":"\#(goodPayload($0))",\#(goodEC.dropFirst())"#.replacing(
                    #""x":"aa"#, with: #""x5c":"aa"#)
            },
            hostile: key,
            read: { text in
                guard let key = try? JWK(text) else { return false }
                _ = try? HMACKey(jwk: key)
                _ = try? SigningKey(jwk: key)
                return (try? VerificationKey(jwk: key)) != nil
            })
    }

    static let keySets: [HostileMember] = members.flatMap { name, key in
        [
            HostileMember(
                "KeySet: \(name)", maximumByteCount: 260_000, good: goodKeySet,
                hostile: { #"{"keys":[\#(try key($0)),\#(goodEC)]}"# },
                read: { text in
                    guard let set = try? KeySet(jwks: text) else { return false }
                    return set.skipped.isEmpty
                }),
            HostileMember(
                "PublishedKeys: \(name)", maximumByteCount: 260_000, good: goodKeySet,
                hostile: { #"{"keys":[\#(try key($0)),\#(goodEC)]}"# },
                read: { text in
                    let published = try? PublishedKeys(
                        jwks: Array(text.utf8), algorithms: [.es256, .rs256], maximumKeyCount: 10_000)
                    return published?.keys.skipped.isEmpty == true
                }),
            HostileMember(
                "HMACKeySet: \(name)", maximumByteCount: 260_000, good: goodSecrets,
                hostile: { #"{"keys":[\#(try key($0)),\#(try key($0))]}"# },
                read: { (try? HMACKeySet(jwks: $0.utf8))?.skipped.isEmpty == true }),
        ]
    }

    private static func goodKeySet(_ byteCount: Int) -> String {
        let keys = (0..<byteCount / goodEC.utf8.count).map { #"{"kid":"\#($0)",\#(goodEC.dropFirst())"# }
        return #"{"keys":[\#(keys.joined(separator: ","))]}"#
    }

    private static func goodSecrets(_ byteCount: Int) -> String {
        let keys = (0..<byteCount / 100).map {
            #"{"kid":"\#($0)","kty":"oct","alg":"HS256","k":"\#(goodPayload(43).dropLast())A"}"#
        }
        return #"{"keys":[\#(keys.joined(separator: ","))]}"#
    }
}
