// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE

/// Verifying and signing whole tokens of one algorithm.
struct TokenWorkloads {
    let name: String
    var iterations = 200
    let fixture: () throws -> TokenFixture

    private var signingIterations: Int {
        switch name {
        // A random signature of ECDSA's is now and then a byte shorter inside libcrypto.
        case "es256": 60
        // Seven million instructions each, nearly all of them libcrypto's.
        case "rs256": 4
        default: iterations
        }
    }

    func all() -> [Workload] {
        [
            typed("id", IDTokenClaims.self, \.verifier, \.token), registered("id", \.verifier, \.token),
            typed("session", SessionClaims.self, \.sessionVerifier, \.session),
            registered("session", \.sessionVerifier, \.session),
            sign("id", IDTokenClaims(), \.token), sign("session", SessionClaims(), \.session),
        ]
    }

    private func typed<Claims: ExpiringClaims>(
        _ kind: String, _ claims: Claims.Type, _ verifier: KeyPath<TokenFixture, TokenVerifier>,
        _ token: KeyPath<TokenFixture, String>
    ) -> Workload {
        Workload("\(name).verify.\(kind).typed", iterations) {
            let fixture = try fixture()
            let (verifier, token) = (fixture[keyPath: verifier], fixture[keyPath: token])
            return { try verifier.verify(token, as: Claims.self).claims.exp == Expected.expiration }
        }
    }

    private func registered(
        _ kind: String, _ verifier: KeyPath<TokenFixture, TokenVerifier>,
        _ token: KeyPath<TokenFixture, String>
    ) -> Workload {
        Workload("\(name).verify.\(kind).registered", iterations) {
            let fixture = try fixture()
            let (verifier, token) = (fixture[keyPath: verifier], fixture[keyPath: token])
            return { try verifier.verify(token).claims.expires }
        }
    }

    private func sign(
        _ kind: String, _ claims: some ExpiringClaims, _ token: KeyPath<TokenFixture, String>
    ) -> Workload {
        Workload("\(name).sign.\(kind)", signingIterations) {
            let fixture = try fixture()
            let (signer, length) = (fixture.signer, fixture[keyPath: token].utf8.count)
            return { try signer.sign(claims).utf8.count == length }
        }
    }
}

/// The algorithms with keys of their own here.
enum SignatureAlgorithmName: String {
    case rs256
    case es256
    case edDSA = "eddsa"

    func fixture() throws -> TokenFixture {
        switch self {
        case .rs256: try .signature(.rs256)
        case .es256: try .signature(.es256)
        case .edDSA: try .signature(.edDSA)
        }
    }
}

extension RegisteredClaims {
    /// Whether `exp` is what the fixtures have.
    var expires: Bool { expiration?.secondsSince1970 == Double(Expected.expiration) }
}
