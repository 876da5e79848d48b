// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
package import SignetJOSE
import Testing

/// Keys and verifiers over ``TestPrivatePEM``.
package enum TestKeys {
    package static let secret = Array(
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_".utf8)

    package static func pem(_ algorithm: SignatureAlgorithm) -> String {
        switch algorithm.family {
        case .rsa: TestPrivatePEM.rsa
        case .ec(.p256, _): TestPrivatePEM.p256
        case .ec(.p384, _): TestPrivatePEM.p384
        case .ec(.p521, _): TestPrivatePEM.p521
        case .ed25519: TestPrivatePEM.ed25519
        }
    }

    package static func signing(_ algorithm: SignatureAlgorithm, keyID: String = "k1") throws
        -> SigningKey
    {
        try SigningKey(pem: pem(algorithm), algorithm: algorithm, keyID: keyID)
    }

    package static func verification(_ algorithm: SignatureAlgorithm, keyID: String? = "k1") throws
        -> VerificationKey
    {
        try VerificationKey(pem: pem(algorithm), algorithm: algorithm, keyID: keyID)
    }

    package static func hmac(_ algorithm: HMACAlgorithm = .hs256, keyID: String? = "k1") throws
        -> HMACKey
    {
        try HMACKey(secret: SecretKey(copying: secret), algorithm: algorithm, keyID: keyID)
    }

    /// A verifier over a set with one key.
    package static func verifier(_ algorithm: SignatureAlgorithm, policy: TokenPolicy? = nil) throws
        -> TokenVerifier
    {
        TokenVerifier(
            keys: KeySet([try verification(algorithm)]), policy: try policy ?? TestClaims.policy())
    }

    /// A header as it should be.
    package static func header(_ algorithm: String, keyID: String = "k1") -> String {
        #"{"alg":"\#(algorithm)","kid":"\#(keyID)"}"#
    }
}

/// Why a token was refused; nil when it was not. Any other error fails the test.
package func refusal<Result>(_ body: () throws -> Result) -> TokenError? {
    do {
        _ = try body()
        return nil
    } catch let error as TokenError {
        return error
    } catch {
        Issue.record("not a TokenError: \(error)")
        return nil
    }
}
