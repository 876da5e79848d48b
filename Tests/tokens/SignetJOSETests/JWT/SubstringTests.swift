// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE
import TestSupport
import Testing

@Suite("Tokens that are substrings")
struct SubstringTests {
    struct Claims: Codable, Equatable { var sub: String }

    @Test("A substring verifies like the same token alone")
    func verified() throws {
        let key = try TestKeys.hmac(.hs256)
        let compact = try TokenSigner(hmacKey: key, clock: .still).sign(
            Claims(sub: "u"), lifetime: .seconds(60))
        let field = "Bearer \(compact) "
        let token = field.dropFirst(7).dropLast()
        let verifier = try TokenVerifier(
            hmacKey: key,
            policy: TokenPolicy(issuer: .notChecked, audience: .notChecked, clock: .still))
        #expect(try verifier.verify(token, as: Claims.self).claims == Claims(sub: "u"))
        #expect(try verifier.verify(token).registered.subject == "u")
        #expect(try JWSVerifier(hmacKey: key).verify(token).header.algorithm == "HS256")
        #expect(try UnverifiedToken(token).algorithm == "HS256")
        // Its boundaries count: one byte more or less is another token.
        for other in [
            field.dropFirst(7), field.dropFirst(7).dropLast(2), field.dropFirst(6).dropLast(),
        ] {
            #expect(refusal { try verifier.verify(other) } != nil)
            #expect(refusal { try verifier.verify(other, as: Claims.self) } != nil)
            #expect(refusal { try JWSVerifier(hmacKey: key).verify(other) } != nil)
        }
    }

    @Test("An overlong substring is refused without a copy")
    func size() throws {
        let key = try TestKeys.hmac(.hs256)
        let verifier = try TokenVerifier(
            hmacKey: key,
            policy: TokenPolicy(issuer: .notChecked, audience: .notChecked, clock: .still))
        let jws = try JWSVerifier(hmacKey: key, maximumByteCount: 16_384)
        func cost(_ byteCount: Int) -> Duration {
            let token = String(repeating: "a", count: byteCount).dropFirst()
            let start = ThreadClock.now
            for _ in 0..<100 {
                #expect(refusal { try verifier.verify(token) }?.code == .tooLarge)
                #expect(refusal { try verifier.verify(token, as: Claims.self) }?.code == .tooLarge)
                #expect(refusal { try jws.verify(token) }?.code == .tooLarge)
                #expect(refusal { try UnverifiedToken(token) }?.code == .tooLarge)
            }
            return ThreadClock.now - start
        }
        _ = cost(20_000)
        // Copying the longer one takes 50 times as long as refusing the shorter one.
        #expect(cost(1 << 23) < cost(20_000) * 5)
    }
}
