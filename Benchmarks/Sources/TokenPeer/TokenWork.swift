// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import Foundation
import SignetJOSE
import TokenFixtures

/// What the commands can ask for, of one algorithm and one kind of payload.
protocol Work {
    func verify(_ token: String) -> String
    func sign() throws -> String
    func timeVerify(_ token: String, milliseconds: Double) throws -> Double
    func timeRegistered(_ token: String, milliseconds: Double) throws -> Double
    func timeSign(milliseconds: Double) throws -> Double
}

/// One algorithm's keys, parsed once, with one type of claims.
struct TokenWork<Payload: FixtureClaims>: Work {
    private let claims: Payload
    private let signer: TokenSigner
    private let verifier: TokenVerifier

    init(_ algorithm: String, payload: Data, data: URL, keyID: String) throws {
        func file(_ suffix: String) throws -> String {
            try String(contentsOf: data.appending(path: "\(algorithm).\(suffix)"), encoding: .utf8)
        }
        claims = try JSONDecoder().decode(Payload.self, from: payload)
        let policy = try TokenPolicy(issuer: claims.iss, audience: [claims.aud])
        if algorithm == "HS256" {
            let key = try HMACKey(jwk: JWK(file("jwk")))
            signer = try TokenSigner(hmacKey: key)
            verifier = try TokenVerifier(hmacKey: key, policy: policy)
        } else {
            let named: SignatureAlgorithm? = ["RS256": .rs256, "ES256": .es256, "EdDSA": .edDSA][
                algorithm]
            signer = TokenSigner(
                key: try SigningKey(pem: file("private.pem"), algorithm: named, keyID: keyID))
            let key = try VerificationKey(pem: file("public.pem"), algorithm: named, keyID: keyID)
            verifier = TokenVerifier(keys: KeySet([key]), policy: policy)
        }
    }

    func verify(_ token: String) -> String {
        do {
            let claims = try verifier.verify(token, as: Payload.self).claims
            return "accepted \(String(decoding: try JSONEncoder().encode(claims), as: UTF8.self))"
        } catch {
            return "refused \(error)"
        }
    }

    func sign() throws -> String { try signer.sign(claims) }

    func timeVerify(_ token: String, milliseconds: Double) throws -> Double {
        try measure(milliseconds) { try verifier.verify(token, as: Payload.self).claims }
    }

    /// The registered claims alone; the rest is parsed, and left where it is.
    func timeRegistered(_ token: String, milliseconds: Double) throws -> Double {
        try measure(milliseconds) { try verifier.verify(token).claims }
    }

    func timeSign(milliseconds: Double) throws -> Double {
        try measure(milliseconds) { try signer.sign(claims) }
    }
}

/// The median over batches of at least 1 ms, in nanoseconds for one call.
func measure<Value>(_ milliseconds: Double, _ call: () throws -> Value) rethrows -> Double {
    func batch(_ count: Int) throws -> Double {
        let start = processorTime()
        for _ in 0..<count { keep(try call()) }
        return (processorTime() - start).nanoseconds
    }
    var count = 2
    while try batch(count) < 1e6 { count *= 2 }
    var figures = [Double]()
    let end = processorTime() + .nanoseconds(Int64(milliseconds * 1e6))
    while processorTime() < end { figures.append(try batch(count) / Double(count)) }
    return median(figures)
}
