// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE

/// A signer of any text, and verifiers with the same key.
struct TokenFixture: Sendable {
    static let shared = Result { try TokenFixture() }

    let verifier: TokenVerifier
    let payloads: JWSVerifier
    private let code: MACKey

    private init() throws {
        let secret = SecretKey(copying: [UInt8](repeating: 7, count: 32))
        let key = try HMACKey(secret: secret, algorithm: .hs256, keyID: "k1")
        code = try MACKey(secret, hash: .sha256)
        payloads = try JWSVerifier(hmacKey: key)
        verifier = try TokenVerifier(
            hmacKey: key,
            policy: TokenPolicy(
                issuer: "https://idp.example", audience: ["api"], type: .jwt,
                expiration: .required, leeway: .seconds(30), maximumAge: nil, requiredClaims: [],
                clock: .fixed(secondsSince1970: 1_700_000_100)))
    }

    func signature(_ text: String) throws -> String {
        Base64URL.encode(try code.authenticationCode(for: Array(text.utf8)))
    }
}
