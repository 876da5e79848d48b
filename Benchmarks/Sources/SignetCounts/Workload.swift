// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import TokenFixtures

/// One operation that is counted.
struct Workload {
    let name: String
    /// How often it runs for a count: few times where one is long.
    let iterations: Int
    /// How often it runs for a count of allocations.
    let allocationIterations: Int
    /// Makes keys and tokens, which is not counted, and returns the operation, which says whether
    /// its answer was right.
    let prepare: () throws -> () throws -> Bool

    /// - Parameter allocationIterations: by default as often as the rest, and 64 times at least:
    ///   libcrypto makes RSA's blinding anew after every 32 signatures.
    init(
        _ name: String, _ iterations: Int, allocationIterations: Int? = nil,
        prepare: @escaping () throws -> () throws -> Bool
    ) {
        self.name = name
        self.iterations = iterations
        self.allocationIterations = allocationIterations ?? max(iterations, 64)
        self.prepare = prepare
    }

    @inline(never)
    func run(_ operation: () throws -> Bool, times count: Int) throws {
        for _ in 0..<count {
            guard try operation() else { throw FixtureError(name: name) }
        }
    }

    /// Every operation, in the order of the table: what `make bench` has guards for, a refusal, a
    /// JWK set, encrypted tokens, and the most expensive sets.
    static func all() -> [Workload] {
        [
            typed("hs256", 200, TokenFixture.hmac), registered("hs256", 200, TokenFixture.hmac),
            sign("hs256", "id", IDTokenClaims(), 200, TokenFixture.hmac),
            sign("hs256", "session", SessionClaims(), 200, TokenFixture.hmac),
            typed("rs256", 10) { try .signature(.rs256) },
            // Seven million instructions each, nearly all of them libcrypto's.
            sign("rs256", "id", IDTokenClaims(), 4) { try .signature(.rs256) },
            typed("es256", 10) { try .signature(.es256) },
            // A random signature of ECDSA's is now and then a byte shorter inside libcrypto.
            sign("es256", "id", IDTokenClaims(), 60) { try .signature(.es256) },
            typed("eddsa", 10) { try .signature(.edDSA) },
            sealAndOpen(), loadKeys(), refuse(),
        ] + EncryptedTokens.workloads() + WorstKeySets.workloads()
    }

    private static func typed(
        _ name: String, _ iterations: Int, _ fixture: @escaping () throws -> TokenFixture
    ) -> Workload {
        Workload("\(name).verify.id.typed", iterations) {
            let fixture = try fixture()
            let verifier = fixture.verifier
            let token = fixture.token
            return {
                try verifier.verify(token, as: IDTokenClaims.self).claims.exp == Expected.expiration
            }
        }
    }

    private static func registered(
        _ name: String, _ iterations: Int, _ fixture: @escaping () throws -> TokenFixture
    ) -> Workload {
        Workload("\(name).verify.id.registered", iterations) {
            let fixture = try fixture()
            let verifier = fixture.verifier
            let token = fixture.token
            let expiration = Double(Expected.expiration)
            return { try verifier.verify(token).claims.expiration?.secondsSince1970 == expiration }
        }
    }

    private static func sign(
        _ name: String, _ kind: String, _ claims: some FixtureClaims, _ iterations: Int,
        _ fixture: @escaping () throws -> TokenFixture
    ) -> Workload {
        Workload("\(name).sign.\(kind)", iterations) {
            let signer = try fixture().signer
            let length = try signer.sign(claims).utf8.count
            return { try signer.sign(claims).utf8.count == length }
        }
    }

    private static func sealAndOpen() -> Workload {
        Workload("aes256gcm.sealAndOpen.64", 1024) {
            let key = SecretKey(copying: PublishedKeys.hmac)
            let plain = [UInt8](repeating: 0x61, count: 64)
            return { try AESGCM.open(AESGCM.seal(plain, using: key), using: key).count == 64 }
        }
    }

    private static func loadKeys() -> Workload {
        Workload("jwks.load.3rsa", 20) {
            let keys = try (0..<3).map {
                try TokenFixture.signingKey(.rs256, keyID: "key-\($0)").verificationKey
            }
            let json = try KeySet(keys).jwksJSON()
            return { try KeySet(jwks: json).keys.count == 3 }
        }
    }

    /// The reasons in turn, one refusal an operation.
    private static func refuse() -> Workload {
        let reasons = Refusal.allCases
        return Workload("hs256.refuse.id.typed", 30 * reasons.count) {
            let fixture = try TokenFixture.hmac()
            let cases = try reasons.map {
                ($0.code, try $0.verifier(fixture), try $0.token(fixture))
            }
            var turn = 0
            return {
                let (code, verifier, token) = cases[turn]
                turn = turn + 1 < cases.count ? turn + 1 : 0
                do throws(TokenError) {
                    return try verifier.verify(token, as: IDTokenClaims.self).claims.exp == 0
                } catch {
                    return error.code == code
                }
            }
        }
    }
}
