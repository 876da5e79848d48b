// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

/// A run of combining characters in every string of a key, of a key set, and in a PEM file. Review
/// F1b: a set of one key with an `alg` of 48 KB took six seconds, and one of 512 KB would have
/// taken minutes.
@Suite("The cost of combining characters in keys")
struct CombiningKeyCosts {
    @Test("A run of 8 KiB costs what its bytes cost", arguments: members)
    func small(_ member: HostileMember) throws { try member.expectLinear(byteCount: 8_192) }

    @Test("A run of 64 or 512 KiB costs what its bytes cost", .tags(.fuzzing), arguments: members)
    func large(_ member: HostileMember) throws { try member.expectLinearWhenLarge() }

    @Test(
        "A key's texts are shown up to 1,024 bytes",
        arguments: ["kid", "use", "alg", "key_ops"])
    func shownTexts(_ name: String) throws {
        let key = { (count: Int) -> String in
            let text = "\"" + String(repeating: "a", count: count) + "\""
            return
                #"{"\#(name)":\#(name == "key_ops" ? "[\(text)]" : text),\#(Self.good.dropFirst())"#
        }
        let whole = try JWK(key(1_024))
        let shown = [whole.keyID, whole.use, whole.algorithm, whole.keyOperations?.first]
        #expect(shown.contains { $0?.utf8.count == 1_024 })
        #expect(keyRefusal { try JWK(key(1_025)) }?.code == .tooLarge)
        let set = try KeySet(jwks: #"{"keys":[\#(key(1_025)),\#(Self.good)]}"#)
        #expect(set.keys.count == 1 && set.skipped.map(\.reason.code) == [.tooLarge])
    }

    /// Without `alg` and `kid`.
    private static let good = (try? JWK(pem: TestPrivatePEM.p256).publicJSON()) ?? "{}"

    /// Every member that is a string, or may hold one.
    private static let keys: [(String, String)] = {
        let behind = good.dropFirst()
        var all = ["kid", "use", "alg", "x5u", "x5t", "exp", "issuer", "d"].map {
            ($0, #"{"\#($0)":"%",\#(behind)"#)
        }
        all += [
            ("use with a known beginning", #"{"use":"sig%",\#(behind)"#),
            ("alg with a known beginning", #"{"alg":"ES256%",\#(behind)"#),
            ("key_ops", #"{"key_ops":["verify%"],\#(behind)"#),
            ("several key_ops", #"{"key_ops":["verify","sign","%"],\#(behind)"#),
            ("x5c", #"{"x5c":["%"],\#(behind)"#), ("a member's name", #"{"%":1,\#(behind)"#),
            ("kty", #"{"kty":"%"}"#), ("kty with a known beginning", #"{"kty":"RSA%"}"#),
            ("crv", #"{"kty":"EC","crv":"P-256%","x":"AA","y":"AA"}"#),
            ("x", #"{"kty":"EC","crv":"P-256","x":"%","y":"AA"}"#),
            ("y", #"{"kty":"EC","crv":"P-256","x":"AA","y":"%"}"#),
            ("crv of OKP", #"{"kty":"OKP","crv":"Ed25519%","x":"AA"}"#),
            ("n", #"{"kty":"RSA","n":"%","e":"AQAB"}"#),
            ("e", #"{"kty":"RSA","n":"AQAB","e":"%"}"#),
            ("k", #"{"kty":"oct","k":"%","alg":"HS256"}"#),
            ("alg of a secret", #"{"kty":"oct","k":"AAAA","alg":"HS256%"}"#),
        ]
        return all
    }()

    static let members: [HostileMember] =
        HostileMember.table("JWK", single, maximumByteCount: 64_000, keys)
        + HostileMember.table("KeySet", sets, maximumByteCount: 520_000, keys) {
            #"{"keys":[\#($0),\#(good)]}"#
        }
        + HostileMember.table("PublishedKeys", published, maximumByteCount: 520_000, keys) {
            #"{"keys":[\#($0),\#(good)]}"#
        }
        + HostileMember.table("HMACKeySet", secrets, maximumByteCount: 520_000, keys) {
            #"{"keys":[\#($0),{"kty":"oct","kid":"1"}]}"#
        }
        + HostileMember.table(
            "PEM", pem, maximumByteCount: 64_000,
            [
                ("text in front", "%\n" + TestPublicPEM.p256), ("label", "-----BEGIN %-----\n"),
                ("contents", "-----BEGIN PUBLIC KEY-----\n%\n-----END PUBLIC KEY-----\n"),
                ("another end", "-----BEGIN PUBLIC KEY-----\n-----END %-----\n"),
            ])

    /// A good key with certificates of this size beside it.
    private static let single = DocumentKind { byteCount in
        let chain = String(repeating: #""MIIB","#, count: byteCount / 7)
        return #"{"kid":"k1","x5c":[\#(chain)""],\#(good.dropFirst())"#
    } accepts: { text in
        guard let key = try? JWK(text) else { return false }
        _ = try? HMACKey(jwk: key)
        _ = try? SigningKey(jwk: key)
        return (try? VerificationKey(jwk: key)) != nil
    }

    private static let sets = DocumentKind(good: goodSet) { text in
        (try? KeySet(jwks: text))?.skipped.isEmpty == true
    }

    private static let published = DocumentKind(good: goodSet) { text in
        let keys = try? PublishedKeys(
            jwks: Array(text.utf8), algorithms: [.es256, .rs256],
            maximumKeyCount: KeySet.maximumKeyCount)
        return keys?.keys.skipped.isEmpty == true
    }

    /// As many keys as a set may have, with ignored members up to the size.
    private static func goodSet(_ byteCount: Int) -> String {
        let count = min(byteCount / good.utf8.count, KeySet.maximumKeyCount)
        let filling = String(
            repeating: "A", count: max(byteCount / count - good.utf8.count - 9, 0))
        let key = #"{"x5t":"\#(filling)",\#(good.dropFirst())"#
        return #"{"keys":[\#([String](repeating: key, count: count).joined(separator: ","))]}"#
    }

    private static let secrets = DocumentKind { byteCount in
        let count = min(byteCount / 100, HMACKeySet.maximumKeyCount)
        let secret = String(repeating: "A", count: 43 + max(byteCount / count - 100, 0) / 4 * 4)
        let keys = (0..<count).map {
            #"{"kid":"\#($0)","kty":"oct","alg":"HS256","k":"\#(secret)"}"#
        }
        return #"{"keys":[\#(keys.joined(separator: ","))]}"#
    } accepts: {
        (try? HMACKeySet(jwks: $0.utf8))?.skipped.isEmpty == true
    }

    private static let pem = DocumentKind { byteCount in
        TestPublicPEM.p256 + "\n"
            + String(repeating: "# a line of a comment\n", count: byteCount / 22)
    } accepts: {
        (try? JWK(pem: $0)) != nil
    }
}
