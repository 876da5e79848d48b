// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import Testing

/// Keys and verifiers over ``TestPrivatePEM``.
enum TestKeys {
    static let secret = Array("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_".utf8)

    static func pem(_ algorithm: SignatureAlgorithm) -> String {
        switch algorithm.family {
        case .rsa: TestPrivatePEM.rsa
        case .ec(.p256, _): TestPrivatePEM.p256
        case .ec(.p384, _): TestPrivatePEM.p384
        case .ec(.p521, _): TestPrivatePEM.p521
        case .ed25519: TestPrivatePEM.ed25519
        }
    }

    static func signing(_ algorithm: SignatureAlgorithm, keyID: String = "k1") throws -> SigningKey {
        try SigningKey(pem: pem(algorithm), algorithm: algorithm, keyID: keyID)
    }

    static func verification(_ algorithm: SignatureAlgorithm, keyID: String? = "k1") throws -> VerificationKey
    {
        try VerificationKey(pem: pem(algorithm), algorithm: algorithm, keyID: keyID)
    }

    static func hmac(_ algorithm: HMACAlgorithm = .hs256, keyID: String? = "k1") throws -> HMACKey {
        try HMACKey(secret: SecretKey(copying: secret), algorithm: algorithm, keyID: keyID)
    }

    /// A verifier over a set with one key.
    static func verifier(_ algorithm: SignatureAlgorithm, policy: TokenPolicy? = nil) throws -> TokenVerifier
    {
        TokenVerifier(
            keys: KeySet([try verification(algorithm)]), policy: try policy ?? TestClaims.policy())
    }

    /// A header as it should be.
    static func header(_ algorithm: String, keyID: String = "k1") -> String {
        #"{"alg":"\#(algorithm)","kid":"\#(keyID)"}"#
    }
}

/// Why a token was refused; nil when it was not. Any other error fails the test.
func refusal<Result>(_ body: () throws -> Result) -> TokenError? {
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

/// Why a key was refused; nil when it was not. Any other error fails the test.
func keyRefusal<Result>(_ body: () throws -> Result) -> KeyError? {
    do {
        _ = try body()
        return nil
    } catch let error as KeyError {
        return error
    } catch {
        Issue.record("not a KeyError: \(error)")
        return nil
    }
}

extension SecretBytes {
    /// The text in the open, for tests alone.
    func exposedText() -> String {
        withExposedBytes { bytes in
            var copy = [UInt8]()
            for index in bytes.indices { copy.append(bytes[index]) }
            return String(decoding: copy, as: UTF8.self)
        }
    }
}
