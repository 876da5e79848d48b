// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

/// CVE-2025-30204, CVE-2025-27144: size first, before anything is split, copied or decoded.
@Suite("Sizes of tokens, keys and sets")
struct TokenSize {
    static let hostile = 10_000_000

    /// A token of exactly `count` bytes, honest otherwise; nil where base64url has no text of that length.
    static func token(byteCount count: Int) throws -> String? {
        let bare = try Forge.token(
            TestKeys.header("RS256"), TestClaims.json(adding: #""x":"""#), by: Forge.rs256())
        for room in max(
            0, (count - bare.utf8.count) / 4 * 3 - 4)...max(
                0, (count - bare.utf8.count) / 4 * 3 + 4)
        {
            let filler = String(repeating: "x", count: room)
            let token = try Forge.token(
                TestKeys.header("RS256"), TestClaims.json(adding: #""x":"\#(filler)""#),
                by: Forge.rs256())
            if token.utf8.count == count { return token }
        }
        return nil
    }

    @Test("A token at the limit is accepted, and one more byte is refused")
    func boundary() throws {
        let lengths = try (16_380...16_384).compactMap { try Self.token(byteCount: $0) }
        let token = try #require(lengths.last)
        let limit = token.utf8.count
        func verifier(_ limit: Int) throws -> TokenVerifier {
            try TestKeys.verifier(
                .rs256,
                policy: TokenPolicy(
                    issuer: TestClaims.issuer, audience: ["api"], maximumTokenByteCount: limit,
                    clock: .fixed(secondsSince1970: TestClaims.now)))
        }
        _ = try verifier(limit).verify(token)
        #expect(refusal { try verifier(limit - 1).verify(token) }?.code == .tooLarge)
        _ = try verifier(limit).verify(Array(token.utf8), as: JSONValue.self)
        #expect(
            refusal { try verifier(limit - 1).verify(Array(token.utf8), as: JSONValue.self) }?.code
                == .tooLarge)
        _ = try UnverifiedToken(token, maximumByteCount: limit)
        #expect(
            refusal { try UnverifiedToken(token, maximumByteCount: limit - 1) }?.code == .tooLarge)
        let key = try TestKeys.verification(.rs256)
        _ = try JWSVerifier(key: key, maximumByteCount: limit).verify(token)
        #expect(
            refusal { try JWSVerifier(key: key, maximumByteCount: limit - 1).verify(token) }?.code
                == .tooLarge)
        #expect(
            refusal {
                try JWSVerifier(key: key, maximumByteCount: limit - 1).verify(Array(token.utf8))
            }?.code
                == .tooLarge)
    }

    @Test(
        "Senseless limits refuse everything, and none traps",
        arguments: [Int.min, -1, 0, 1])
    func senselessLimits(_ limit: Int) throws {
        let token = try Forge.token(TestKeys.header("RS256"), by: Forge.rs256())
        #expect(refusal { try UnverifiedToken(token, maximumByteCount: limit) }?.code == .tooLarge)
        let verifier = JWSVerifier(key: try TestKeys.verification(.rs256), maximumByteCount: limit)
        #expect(refusal { try verifier.verify(token) }?.code == .tooLarge)
        _ = try JWSVerifier(key: TestKeys.verification(.rs256), maximumByteCount: .max).verify(
            token)
    }

    @Test(
        "10 MB of dots, letters or an endless token are refused at once",
        arguments: [".", "A", "eyJhbGciOiJSUzI1NiJ9.", "\u{e9}", "{"])
    func tenMegabytes(_ unit: String) throws {
        let text = String(repeating: unit, count: Self.hostile / unit.utf8.count)
        let bytes = Array(text.utf8)
        let verifier = try TestKeys.verifier(.rs256)
        let jws = JWSVerifier(key: try TestKeys.verification(.rs256))
        let time = ThreadClock.measure {
            for _ in 0..<100 {
                #expect(refusal { try verifier.verify(text) }?.code == .tooLarge)
                #expect(
                    refusal { try verifier.verify(text, as: JSONValue.self) }?.code == .tooLarge)
                #expect(
                    refusal { try verifier.verify(bytes, as: JSONValue.self) }?.code == .tooLarge)
                #expect(refusal { try jws.verify(text) }?.code == .tooLarge)
                #expect(refusal { try jws.verify(bytes) }?.code == .tooLarge)
                #expect(refusal { try UnverifiedToken(text) }?.code == .tooLarge)
            }
        }
        // 600 refusals; even a fast machine would take longer to read 6 GB.
        #expect(time < .seconds(1))
    }

    @Test("10 MB of key, key set or PEM are refused at once")
    func keys() {
        let text = String(repeating: " ", count: Self.hostile)
        #expect(keyRefusal { try JWK(text) }?.code == .tooLarge)
        #expect(keyRefusal { try JWK(pem: text) }?.code == .tooLarge)
        #expect(keyRefusal { try KeySet(jwks: text) }?.code == .tooLarge)
        #expect(keyRefusal { try HMACKeySet(jwks: text.utf8) }?.code == .tooLarge)
        #expect(keyRefusal { try JWK(text.utf8.lazy.map { $0 }) }?.code == .tooLarge)
        #expect(keyRefusal { try JWK(pem: text.utf8.lazy.map { $0 }) }?.code == .tooLarge)
    }

    @Test("A set may have 1,000 members, and no more, whoever reads it")
    func crowdedSet() throws {
        #expect(KeySet.maximumKeyCount == 1_000 && HMACKeySet.maximumKeyCount == 1_000)
        let members = { (count: Int) in
            #"{"keys":["# + repeatElement("{}", count: count).joined(separator: ",") + "]}"
        }
        #expect(try KeySet(jwks: members(1_000)).skipped.count == 1_000)
        #expect(try HMACKeySet(jwks: members(1_000).utf8).skipped.count == 1_000)
        for count in [1_001, 100_000] {
            #expect(keyRefusal { try KeySet(jwks: members(count)) }?.code == .tooLarge)
            #expect(keyRefusal { try HMACKeySet(jwks: members(count).utf8) }?.code == .tooLarge)
        }
    }
}
