// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

/// What issuers write into key sets, under the policy of Documentation/DECISIONS.md: what has one
/// meaning and loses nothing is read, and the rest is skipped with its reason.
@Suite("Shapes of published keys")
struct PublishedKeyShapes {
    struct Shape: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let algorithm: SignatureAlgorithm
        let refusal: KeyError.Code?
        /// A set, from a public key that has its numbers and the `kid` "k" and no other members.
        let set: @Sendable (String) -> String

        private init(
            _ name: String, _ algorithm: SignatureAlgorithm, _ refusal: KeyError.Code?,
            _ member: @escaping @Sendable (String) -> String
        ) {
            (testDescription, self.algorithm, self.refusal) = (name, algorithm, refusal)
            set = { #"{"keys":[\#(member($0))]}"# }
        }

        static func read(
            _ name: String, of algorithm: SignatureAlgorithm = .es256,
            _ member: @escaping @Sendable (String) -> String
        ) -> Shape {
            Shape(name, algorithm, nil, member)
        }

        static func skipped(
            _ name: String, _ refusal: KeyError.Code, of algorithm: SignatureAlgorithm = .es256,
            _ member: @escaping @Sendable (String) -> String
        ) -> Shape {
            Shape(name, algorithm, refusal, member)
        }
    }

    static let shapes: [Shape] = [
        .read("as it should be") { $0 },
        .read("use null", adding(#""use":null"#)),
        .read("alg null", adding(#""alg":null"#)),
        .read("alg null of RSA", of: .rs256, adding(#""alg":null"#)),
        .read("key_ops null", adding(#""key_ops":null"#)),
        .read(
            "all null", of: .rs256,
            adding(#""use":null,"alg":null,"key_ops":null,"x5c":null,"exp":null"#)),
        .read("kid null") { $0.replacing(#""kid":"k""#, with: #""kid":null"#) },
        .skipped("kid a number", .malformed) { $0.replacing(#""kid":"k""#, with: #""kid":7"#) },
        .skipped(
            "key_ops empty: nothing is allowed", .operationNotAllowed, adding(#""key_ops":[]"#)),
        .skipped("d null", .malformed, adding(#""d":null"#)),
        .skipped("kty null", .malformed) { $0.replacing(#""EC""#, with: "null") },
        .skipped("n null", .malformed, of: .rs256) {
            changing("n") { _ in "" }($0).replacing(#""n":"""#, with: #""n":null"#)
        },

        .read("x padded", changing("x") { $0 + "=" }),
        .read("x and y padded") { changing("y") { $0 + "=" }(changing("x") { $0 + "=" }($0)) },
        .read("padding as an escape", changing("x") { $0 + #"\u003d"# }),
        .read("n padded", of: .rs256, changing("n") { $0 + "==" }),
        .read("x of Ed25519 padded", of: .edDSA, changing("x") { $0 + "=" }),
        .skipped("one = too many", .malformed, changing("x") { $0 + "==" }),
        .skipped("a group of = too many", .malformed, changing("x") { $0 + "=====" }),
        .skipped("one = too few", .malformed, of: .rs256, changing("n") { $0 + "=" }),
        .skipped("padding where none belongs", .malformed, of: .rs256, changing("e") { $0 + "=" }),
        .skipped("padding alone", .malformed, changing("x") { _ in "====" }),
        .skipped("padding in the middle", .malformed, changing("x") { "AA==" + $0.dropFirst(4) }),
        .skipped("bits that are left over", .malformed, changing("x") { $0.dropLast() + "B=" }),
        .skipped("the other alphabet", .malformed, changing("x") { "+/" + $0.dropFirst(2) }),
        .skipped("a line end", .malformed, changing("x") { $0 + #"\n"# }),

        .read("x without its leading zero", bytes("x") { Array($0.drop { $0 == 0 }) }),
        .read("x and y of P-521 without their zeros", of: .es512) {
            bytes("y") { Array($0.drop { $0 == 0 }) }(bytes("x") { Array($0.drop { $0 == 0 }) }($0))
        },
        .skipped(
            "y without a byte that counts", .invalidKeyMaterial,
            bytes("y") { Array($0.dropFirst()) }),
        .skipped("x with a zero too many", .invalidKeyMaterial, bytes("x") { [0] + $0 }),
        .skipped("x empty", .invalidKeyMaterial, bytes("x") { _ in [] }),
        .skipped(
            "x of Ed25519 too short: it is no number", .invalidKeyMaterial, of: .edDSA,
            bytes("x") { Array($0.dropLast()) }),
        .read("n with a leading zero", of: .rs256, bytes("n") { [0] + $0 }),
        .read("the same key twice") { "\($0),\($0)" },
    ]

    @Test("A member is read, or skipped with its reason", arguments: shapes)
    func shape(_ shape: Shape) throws {
        let key = try Self.key(shape.algorithm)
        let set = try KeySet(jwks: shape.set(Self.plain(key)))
        guard shape.refusal == nil else {
            #expect(set.keys.isEmpty)
            #expect(set.skipped.map(\.reason.code) == [shape.refusal], "\(set.skipped)")
            return
        }
        #expect(set.skipped.isEmpty, "\(set.skipped)")
        try Self.expectSame(set, as: key)
    }

    @Test("One byte-order mark before a set is ignored, and nothing else is")
    func byteOrderMark() throws {
        let key = try Self.key(.es256)
        let text = #"{"keys":[\#(try Self.plain(key))]}"#
        try Self.expectSame(try KeySet(jwks: "\u{feff}" + text), as: key)
        for front in ["\u{feff}\u{feff}", " \u{feff}", "\u{feff}x", "\u{2060}"] {
            #expect(keyRefusal { try KeySet(jwks: front + text) }?.code == .malformed)
        }
        #expect(
            keyRefusal { try KeySet(jwks: [0xef, 0xbb] + Array(text.utf8)) }?.code == .malformed)
        #expect(
            keyRefusal { try KeySet(jwks: [0xff, 0xfe] + Array(text.utf8)) }?.code == .malformed)
    }

    private static func plain(_ key: SigningKey) throws -> String {
        try JWK(pem: key.verificationKey.jwk.publicPEM(), keyID: "k").publicJSON()
    }

    /// It not only loads: it is the same key, and verifies.
    private static func expectSame(_ set: KeySet, as key: SigningKey) throws {
        for read in set.keys {
            #expect(try read.jwk.thumbprint() == key.verificationKey.jwk.thumbprint())
            #expect(read.algorithm == key.algorithm)
        }
        guard set.keys.first?.keyID != nil else {
            // It answers to tokens without a "kid".
            let own = try JWK(pem: key.exportPrivatePEM().exposedText())
            guard case .key(.ecPrivate(let own)) = own.material else { throw Forge.Unexpected() }
            let token = try Forge.token(#"{"alg":"ES256"}"#) {
                try own.signature(for: $0, hash: .sha256)
            }
            _ = try TokenVerifier(keys: set, policy: TestClaims.policy()).verify(token)
            return
        }
        let token = try TokenSigner(key: key, clock: .still).sign(
            ["iss": TestClaims.issuer, "aud": TestClaims.audience], lifetime: .seconds(60))
        let policy = try TokenPolicy(
            issuer: TestClaims.issuer, audience: [TestClaims.audience], clock: .still)
        _ = try TokenVerifier(keys: set, policy: policy).verify(token)
    }

    /// Of P-256 one whose x begins with a zero byte, of P-521 one whose x and y do.
    private static func key(_ algorithm: SignatureAlgorithm) throws -> SigningKey {
        guard algorithm == .es256 || algorithm == .es512 else {
            return try SigningKey(pem: TestKeys.pem(algorithm), algorithm: algorithm, keyID: "k")
        }
        while true {
            let key = try SigningKey.generate(algorithm, keyID: "k")
            guard case .key(.ecPublic(let point)) = key.verificationKey.jwk.material else {
                throw Forge.Unexpected()
            }
            if point.x.first == 0, algorithm == .es256 || point.y.first == 0 { return key }
        }
    }

    private static func adding(_ members: String) -> @Sendable (String) -> String {
        { $0.dropLast() + "," + members + "}" }
    }

    /// With the text of a member changed.
    private static func changing(
        _ name: String, _ change: @escaping @Sendable (String) -> String
    ) -> @Sendable (String) -> String {
        { json in
            let parts = json.split(separator: "\"\(name)\":\"", maxSplits: 1).map(String.init)
            guard parts.count == 2, let end = parts[1].firstIndex(of: "\"") else {
                return "no \(name)"
            }
            return parts[0] + "\"\(name)\":\"" + change(String(parts[1][..<end])) + parts[1][end...]
        }
    }

    /// With the bytes of a member changed.
    private static func bytes(
        _ name: String, _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> @Sendable (String) -> String {
        changing(name) { Base64URL.encode(change((try? Base64URL.decode($0)) ?? [])) }
    }
}
