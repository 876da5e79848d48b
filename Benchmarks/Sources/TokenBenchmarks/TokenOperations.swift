// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import CRawLibcrypto
import JWTKit
import SignetJOSE
import TokenFixtures

/// Verifying and signing whole tokens with one algorithm. The floor does the signature and nothing
/// else.
struct TokenOperations {
    private let fixture: TokenFixture
    private let peer: JWTKitPeer

    init(_ fixture: TokenFixture, _ peer: JWTKitPeer) {
        self.fixture = fixture
        self.peer = peer
    }

    /// Both libraries verify both libraries' tokens to the same claims: nothing is measured that is
    /// not right.
    func proveAgreement() async throws {
        let foreign = try await peer.signs.sign(IDTokenClaims(), kid: JWTKitPeer.keyID)
        for compact in [fixture.token, foreign] {
            let own = try fixture.verifier.verify(compact, as: IDTokenClaims.self).claims
            let other = try await peer.verifies.verify(compact, as: IDTokenClaims.self)
            guard own == IDTokenClaims(), other == own else {
                throw BenchmarkError.differentClaims(fixture.name)
            }
        }
        guard
            try await peer.verifies.verify(fixture.session, as: SessionClaims.self)
                == SessionClaims()
        else {
            throw BenchmarkError.differentClaims(fixture.name)
        }
    }

    func verifyTyped() throws -> Operation {
        let verifier = fixture.verifier
        let token = fixture.token
        return operation(
            "verify.id.typed", "verify, ID token, typed claims",
            .calling(.signet) { try verifier.verify(token, as: IDTokenClaims.self).claims },
            verifying(token, IDTokenClaims.self), try floorVerify(token))
    }

    func verifyRegistered() throws -> Operation {
        let verifier = fixture.verifier
        let token = fixture.token
        return operation(
            "verify.id.registered", "verify, ID token, registered claims",
            .calling(.signet) { try verifier.verify(token).claims },
            verifying(token, RegisteredOnly.self), try floorVerify(token))
    }

    func verifySession() throws -> Operation {
        let verifier = fixture.sessionVerifier
        let token = fixture.session
        return operation(
            "verify.session.typed", "verify, session, typed claims",
            .calling(.signet) { try verifier.verify(token, as: SessionClaims.self).claims },
            verifying(token, SessionClaims.self), try floorVerify(token))
    }

    /// The time for one token of both threads' work together: half of one thread's is perfect. The
    /// libraries share one verifier; the floor has contexts for each thread.
    func verifyOnTwoThreads() throws -> Operation {
        guard case .hmac(let secret) = fixture.key else {
            throw BenchmarkError.setup("two threads")
        }
        let verifier = fixture.verifier
        let keys = peer.verifies
        let token = fixture.token
        let parts = try SignedParts(token)
        var operation = operation(
            "verify.id.typed.2threads", "verify, ID token, typed claims, 2 threads",
            .onTwoThreads(.signet) { count in
                for _ in 0..<count {
                    keep(try verifier.verify(token, as: IDTokenClaims.self).claims)
                }
            },
            .onTwoThreads(.jwtKit) { count in
                for _ in 0..<count { keep(try await keys.verify(token, as: IDTokenClaims.self)) }
            },
            .onTwoThreads(.libcrypto) { count in
                let key = try RawHMAC(key: secret)
                for _ in 0..<count {
                    guard key.isValid(parts.signature, for: parts.message) else {
                        throw BenchmarkError.wrongAnswer(.libcrypto)
                    }
                }
            })
        operation.isParallel = true
        return operation
    }

    func sign() throws -> Operation {
        try signing(IDTokenClaims(), "sign.id", "sign, ID token", fixture.token)
    }

    func signSession() throws -> Operation {
        try signing(SessionClaims(), "sign.session", "sign, session", fixture.session)
    }

    private func signing(
        _ claims: some JWTPayload, _ identifier: String, _ title: String, _ token: String
    ) throws -> Operation {
        let signer = fixture.signer
        let keys = peer.signs
        return operation(
            identifier, title,
            .calling(.signet) { try signer.sign(claims) },
            Contender(.jwtKit) { count in
                for _ in 0..<count { keep(try await keys.sign(claims, kid: JWTKitPeer.keyID)) }
            }, try floorSign(token))
    }

    private func operation(_ identifier: String, _ title: String, _ contenders: Contender...)
        -> Operation
    {
        Operation(
            identifier: "\(fixture.name.lowercased()).\(identifier)",
            title: "\(fixture.name) \(title)",
            contenders: contenders)
    }

    private func verifying<Payload: JWTPayload>(_ token: String, _ payload: Payload.Type)
        -> Contender
    {
        let keys = peer.verifies
        return Contender(.jwtKit) { count in
            for _ in 0..<count { keep(try await keys.verify(token, as: payload)) }
        }
    }

    private func floorVerify(_ token: String) throws -> Contender {
        let parts = try SignedParts(token)
        switch fixture.key {
        case .hmac(let secret):
            let key = try RawHMAC(key: secret)
            return .checking(.libcrypto) { key.isValid(parts.signature, for: parts.message) }
        case .signature(let signing):
            let key = try RawKey(verifyingWith: PEM(signing).public, scheme())
            return .checking(.libcrypto) { key.isValid(parts.signature, for: parts.message) }
        }
    }

    private func floorSign(_ token: String) throws -> Contender {
        let message = try SignedParts(token).message
        switch fixture.key {
        case .hmac(let secret):
            let key = try RawHMAC(key: secret)
            var code = [UInt8](repeating: 0, count: 32)
            return .checking(.libcrypto) { key.compute(message, into: &code) }
        case .signature(let signing):
            let key = try RawKey(signingWith: PEM(signing).private, scheme())
            return .checking(.libcrypto) { key.sign(message) }
        }
    }

    private func scheme() throws -> raw_scheme {
        switch fixture.name {
        case "RS256": return raw_scheme_rs256
        case "ES256": return raw_scheme_es256
        case "EdDSA": return raw_scheme_ed25519
        default: throw BenchmarkError.setup("no floor for \(fixture.name)")
        }
    }
}

extension Contender {
    /// Two threads that share the operations.
    fileprivate static func onTwoThreads(
        _ party: Party, _ body: @escaping @Sendable (Int) async throws -> Void
    ) -> Contender {
        Contender(party) { count in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for thread in 0..<2 { group.addTask { try await body((count + thread) / 2) } }
                try await group.waitForAll()
            }
        }
    }
}
