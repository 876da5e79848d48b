// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import JWTKit
import SignetJOSE

/// Verifying and signing whole tokens. The floor does the signature and nothing else.
struct TokenOperations {
    let fixture: TokenFixture

    private var prefix: String { fixture.name.lowercased() }

    func verifyTyped(_ goals: [Goal] = []) throws -> Operation {
        let (verifier, keys, token) = (fixture.verifier, fixture.verificationKeys, fixture.token)
        return Operation(
            identifier: "\(prefix).verify.id.typed", title: "\(fixture.name) verify, ID token, typed claims",
            contenders: [
                .calling(.signet) { try verifier.verify(token, as: IDTokenClaims.self).claims },
                Contender(.jwtKit) { count in
                    for _ in 0..<count { keep(try await keys.verify(token, as: IDTokenClaims.self)) }
                },
                try floorVerify(token),
            ], goals: goals)
    }

    func verifyRegistered(_ goals: [Goal] = []) throws -> Operation {
        let (verifier, keys, token) = (fixture.verifier, fixture.verificationKeys, fixture.token)
        return Operation(
            identifier: "\(prefix).verify.id.registered",
            title: "\(fixture.name) verify, ID token, registered claims",
            contenders: [
                .calling(.signet) { try verifier.verify(token).claims },
                Contender(.jwtKit) { count in
                    for _ in 0..<count { keep(try await keys.verify(token, as: RegisteredOnly.self)) }
                },
                try floorVerify(token),
            ], goals: goals)
    }

    func verifySession(_ goals: [Goal] = []) throws -> Operation {
        let (verifier, keys, token) = (fixture.sessionVerifier, fixture.verificationKeys, fixture.session)
        return Operation(
            identifier: "\(prefix).verify.session.typed",
            title: "\(fixture.name) verify, session, typed claims",
            contenders: [
                .calling(.signet) { try verifier.verify(token, as: SessionClaims.self).claims },
                Contender(.jwtKit) { count in
                    for _ in 0..<count { keep(try await keys.verify(token, as: SessionClaims.self)) }
                },
                try floorVerify(token),
            ], goals: goals)
    }

    /// A session has no claims but the registered ones: jwt-kit does the same as for the typed form.
    func verifySessionRegistered(_ goals: [Goal] = []) throws -> Operation {
        let (verifier, keys, token) = (fixture.sessionVerifier, fixture.verificationKeys, fixture.session)
        return Operation(
            identifier: "\(prefix).verify.session.registered",
            title: "\(fixture.name) verify, session, registered claims",
            contenders: [
                .calling(.signet) { try verifier.verify(token).claims },
                Contender(.jwtKit) { count in
                    for _ in 0..<count { keep(try await keys.verify(token, as: SessionClaims.self)) }
                },
                try floorVerify(token),
            ], goals: goals)
    }

    func sign(_ goals: [Goal] = []) throws -> Operation {
        let claims = IDTokenClaims()
        return try signing(claims, "id", "ID token", fixture.token, goals)
    }

    func signSession(_ goals: [Goal] = []) throws -> Operation {
        try signing(SessionClaims(), "session", "session", fixture.session, goals)
    }

    private func signing(
        _ claims: some JWTPayload, _ suffix: String, _ what: String, _ token: String, _ goals: [Goal]
    ) throws -> Operation {
        let (signer, keys) = (fixture.signer, fixture.signingKeys)
        return Operation(
            identifier: "\(prefix).sign.\(suffix)", title: "\(fixture.name) sign, \(what)",
            contenders: [
                .calling(.signet) { try signer.sign(claims) },
                Contender(.jwtKit) { count in
                    for _ in 0..<count {
                        keep(try await keys.sign(claims, kid: TokenFixture.keyIdentifier))
                    }
                },
                try floorSign(token),
            ], goals: goals)
    }

    private func floorVerify(_ token: String) throws -> Contender {
        let parts = try SignedParts(token)
        switch fixture.floor {
        case .hmac(let secret):
            let key = try RawHMAC(key: secret)
            return .checking(.libcrypto) { key.isValid(parts.signature, for: parts.message) }
        case .signature(_, let pem, let scheme):
            let key = try RawKey(verifyingWith: pem, scheme)
            return .checking(.libcrypto) { key.isValid(parts.signature, for: parts.message) }
        }
    }

    private func floorSign(_ token: String) throws -> Contender {
        let message = try SignedParts(token).message
        switch fixture.floor {
        case .hmac(let secret):
            let key = try RawHMAC(key: secret)
            var code = [UInt8](repeating: 0, count: 32)
            return .checking(.libcrypto) { key.compute(message, into: &code) }
        case .signature(let pem, _, let scheme):
            let key = try RawKey(signingWith: pem, scheme)
            return .checking(.libcrypto) { key.sign(message) }
        }
    }
}
