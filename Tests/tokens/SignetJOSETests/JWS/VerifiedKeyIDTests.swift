// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TestSupport
import Testing

/// The identifier of the key that verified is the key's, whether the header says the same or
/// nothing.
struct VerifiedKeyIDTests {
    private static let identifier = "an identifier of more than fifteen bytes"

    private struct Claims: Codable {
        var iss = "https://issuer.example"
        var aud = "app"
        var exp = 4_000_000_000
    }

    private static func key(_ keyID: String?) throws -> HMACKey {
        try HMACKey(
            secret: SecretKey(copying: [UInt8](repeating: 9, count: 32)), algorithm: .hs256,
            keyID: keyID)
    }

    private static func verifier(_ keyID: String?) throws -> TokenVerifier {
        try TokenVerifier(
            hmacKey: key(keyID),
            policy: TokenPolicy(issuer: "https://issuer.example", audience: ["app"], clock: .still))
    }

    @Test(
        "A verified token's keyID is the key's, and its header keeps its own",
        arguments: [identifier, nil], [identifier, nil])
    func keysOwn(header: String?, key: String?) throws {
        let token = try TokenSigner(hmacKey: Self.key(header), clock: .still).sign(Claims())
        let verifier = try Self.verifier(key)
        let registered = try verifier.verify(token)
        let typed = try verifier.verify(token, as: Claims.self)
        #expect(registered.keyID == key)
        #expect(typed.keyID == key)
        #expect(registered.header.keyID == header)
        #expect(typed.header.keyID == header)
    }
}
