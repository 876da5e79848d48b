// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetCrypto
import SignetIdentity
import SignetSignIn
import TestSupport
import Testing

@Suite("The application's secret, lost or replaced", .serialized)
struct LostSecretTests {
    /// A database with one of everything, under a secret that is then lost.
    private struct Scene {
        let database: SQLiteAccounts
        let session: IssuedTokens
        let stored: String
        let hotp: HOTP
        let recovery: [RecoveryCode]
        let code: (code: OneTimeCode, sent: OneTimeCodes.Sent)
        let tokens: RefreshTokens

        static func make() async throws -> Scene {
            let database = try await SQLiteAccounts.inMemory()
            try await database.add("ann")
            let tokens = try RefreshTokens(database: database, issuer: SessionFixture.issuer())
            let hotp = try HOTP()
            let factors = SecondFactors(database, secret: try .test())
            try await factors.add(.hotp(hotp), for: "ann")
            let recovery = try await factors.confirm(try hotp.code(at: 0), for: "ann")
            _ = try await SigningKeys.open(
                in: .database(database, secret: try .test()), clock: .still)
            let hasher = try LostSecretTests.hasher()
            return Scene(
                database: database, session: try await tokens.begin(for: "ann"),
                stored: try await hasher.hash(Password("correct horse")).exposedText, hotp: hotp,
                recovery: recovery, code: try await CodeScene(database).code(), tokens: tokens)
        }
    }

    private static func hasher() throws -> PasswordHasher {
        try PasswordHasher(.scrypt(logCost: 4, blockSize: 8, parallelism: 1))
    }

    @Test("Without the secret, only what it sealed is lost")
    func lost() async throws {
        let scene = try await Scene.make()
        let other = try AccountSecret.test(2)
        // Sessions, passwords and recovery codes do not depend on it.
        _ = try await scene.tokens.rotate(scene.session.refreshToken)
        let verdict = try await Self.hasher().verify(
            Password("correct horse"), against: PasswordHash(scene.stored))
        #expect(verdict == .correct(needsUpgrade: false))
        let factors = SecondFactors(scene.database, secret: other)
        #expect(try await factors.recover(scene.recovery[0].exposedText, for: "ann") == 9)
        // A device cannot be read, which is not a wrong code, and its user is still asked for one.
        let error = await accountError { () throws(AccountError) in
            try await factors.verify(scene.hotp.code(at: 1), for: "ann")
        }
        #expect(error?.code == .corrupt)
        #expect(try await factors.isRequired(for: "ann"))
        // No pending code is right, and no new signing key replaces the existing one.
        let codes = OneTimeCodes(scene.database, secret: other)
        let phone = try CodeScene.destination()
        let wrong = await accountError { () throws(AccountError) in
            try await codes.verify(scene.code.code, sentTo: phone, for: .signIn)
        }
        #expect(wrong?.code == .wrongCode)
        await #expect(throws: AccountError(.corrupt, "")) {
            try await SigningKeys.open(in: .database(scene.database, secret: other), clock: .still)
        }
    }

    @Test("With a new secret and the old one kept, everything sealed still opens")
    func exchanged() async throws {
        let scene = try await Scene.make()
        let key = SecretKey(copying: [UInt8](repeating: 2, count: 32))
        let before = SecretKey(copying: [UInt8](repeating: 1, count: 32))
        let both = try AccountSecret(key, previous: [before])
        let factors = SecondFactors(scene.database, secret: both)
        try await factors.verify(try scene.hotp.code(at: 1), for: "ann")
        let keys = try await SigningKeys.open(
            in: .database(scene.database, secret: both), clock: .still)
        let old = try await SigningKeys.open(
            in: .database(scene.database, secret: try .test()), clock: .still)
        #expect(keys.ring.currentKeyID == old.ring.currentKeyID)
        // What is written from now on is under the new one.
        _ = try await keys.replaceAll()
        await #expect(throws: AccountError(.corrupt, "")) { try await old.refresh() }
    }
}
