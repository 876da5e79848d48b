// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
import SignetCrypto
import TestSupport
import Testing

@Suite("Second factors of users", .serialized, .timeLimit(.minutes(20)))
struct SecondFactorsTests {
    private static let wrong = AccountError(.wrongCode, "")

    private func factors(
        _ database: some AccountDatabase, users: [String] = ["ann", "bob"]
    ) async throws -> SecondFactors {
        try await database.transaction { (transaction) throws(AccountError) -> Void in
            for user in users { try await AccountUsers.add(user, in: transaction) }
        }
        return SecondFactors(database, secret: try .test())
    }

    /// The code of the app, so many milliseconds after the start.
    private func code(_ totp: TOTP, _ milliseconds: Int64) throws -> String {
        try totp.code(
            at: NumericDate(secondsSince1970: Double(Moments.start + milliseconds) / 1000))
    }

    private func error(
        _ factors: SecondFactors, _ code: String, _ user: String = "ann"
    ) async -> AccountError? {
        await accountError { () throws(AccountError) in
            try await factors.verify(code, for: user)
            return true
        }
    }

    @Test("An app is added and confirmed, and gives one code a step")
    func life() async throws {
        let moments = try Moments()
        let start = try await factors(try await moments.after(0))
        let totp = try TOTP(hash: .sha256, digitCount: 8)
        #expect(try await start.isRequired(for: "ann") == false)
        try await start.add(.totp(totp), for: "ann")
        #expect(try await start.isRequired(for: "ann") == false)
        // Not until it is confirmed.
        #expect(await error(start, try code(totp, 0)) == Self.wrong)
        let recovery = try await start.confirm(try code(totp, 0), for: "ann")
        #expect(recovery.count == 10)
        #expect(try await start.isRequired(for: "ann"))
        #expect(try await start.isRequired(for: "bob") == false)
        // The code that confirmed it is used up.
        #expect(await error(start, try code(totp, 0)) == Self.wrong)
        #expect(await error(start, try code(totp, 30_000)) == nil)
        #expect(await error(start, try code(totp, 30_000)) == Self.wrong)
        #expect(await error(start, try code(totp, -30_000)) == Self.wrong)
        let later = SecondFactors(try await moments.after(90_000), secret: try .test())
        #expect(await error(later, try code(totp, 90_000)) == nil)
        #expect(await error(later, try code(totp, 90_000), "bob") == Self.wrong)
        await moments.close()
    }

    @Test("Before its first code a device proves nothing, and its owner alone confirms it")
    func unconfirmed() async throws {
        let moments = try Moments()
        let factors = try await factors(try await moments.after(0))
        let (first, second) = (try TOTP(), try TOTP())
        try await factors.add(.totp(first), for: "ann")
        try await factors.add(.totp(second), for: "ann")
        let error = await accountError { () throws(AccountError) in
            try await factors.confirm("000000", for: "bob")
        }
        #expect(error == Self.wrong)
        let code = try code(second, 0)
        _ = try await factors.confirm(code, for: "ann")
        let unknown = await accountError { () throws(AccountError) in
            try await factors.add(.totp(first), for: "nobody")
        }
        #expect(unknown?.code == .unknownUser)
        try await factors.remove(for: "ann")
        #expect(try await factors.isRequired(for: "ann") == false)
        try await factors.add(.totp(first), for: "ann")
        await moments.close()
    }

    @Test("A counter token continues from its last code")
    func counter() async throws {
        let moments = try Moments()
        let factors = try await factors(try await moments.after(0))
        let hotp = try HOTP()
        try await factors.add(.hotp(hotp), for: "ann")
        _ = try await factors.confirm(try hotp.code(at: 0), for: "ann")
        #expect(await error(factors, try hotp.code(at: 0)) == Self.wrong)
        #expect(await error(factors, try hotp.code(at: 5)) == nil)
        #expect(await error(factors, try hotp.code(at: 3)) == Self.wrong)
        #expect(await error(factors, try hotp.code(at: 6)) == nil)
        #expect(await error(factors, try hotp.code(at: 17)) == Self.wrong)
        #expect(await error(factors, try hotp.code(at: 16)) == nil)
        await moments.close()
    }

    @Test("Of forty tasks with one code over two connections, one succeeds")
    func race() async throws {
        let folder = try PrivateFolder()
        let databases = [
            try await SQLiteAccounts.open(at: folder.path + "/a.db", busyTimeout: .seconds(60)),
            try await SQLiteAccounts.open(at: folder.path + "/a.db", busyTimeout: .seconds(60)),
        ]
        let first = try await factors(databases[0])
        let both = [first, SecondFactors(databases[1], secret: try .test())]
        let hotp = try HOTP()
        try await first.add(.hotp(hotp), for: "ann")
        let recovery = try await first.confirm(try hotp.code(at: 0), for: "ann")
        let code = try hotp.code(at: 1)
        let right = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<15 {
                group.addTask { await error(both[index % 2], code) == nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(right == 1)
        let other = try await factors(databases[1])
        try await other.add(.hotp(hotp), for: "bob")
        let bobs = try await other.confirm(try hotp.code(at: 0), for: "bob")
        let recovered = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<15 {
                group.addTask {
                    await accountError { () throws(AccountError) in
                        try await both[index % 2].recover(bobs[3].exposedText, for: "bob")
                    } == nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(recovered == 1 && recovery.count == 10)
        for database in databases { await database.close() }
    }

    @Test("Recovery codes work once, for their user only")
    func recovery() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let factors = try await factors(database)
        let codes = try await factors.newRecoveryCodes(for: "ann")
        func failed(_ code: String, _ user: String = "ann") async -> AccountError? {
            await accountError { () throws(AccountError) in
                try await factors.recover(code, for: user)
            }
        }
        #expect(try await factors.recover(codes[0].exposedText.uppercased(), for: "ann") == 9)
        #expect(await failed(codes[0].exposedText) == Self.wrong)
        #expect(await failed(codes[1].exposedText, "bob") == Self.wrong)
        for text in ["", "aaaa-aaaa-aaaa-aaaa", "x"] { #expect(await failed(text) == Self.wrong) }
        let next = try await factors.newRecoveryCodes(for: "ann")
        #expect(await failed(codes[1].exposedText) == Self.wrong)
        #expect(try await factors.recover(next[9].exposedText, for: "ann") == 9)
    }

    @Test("After twenty wrong codes the right one is refused, but no recovery code or other user")
    func limited() async throws {
        let moments = try Moments()
        let factors = try await factors(try await moments.after(0))
        let hotp = try HOTP()
        var recovery: [RecoveryCode] = []
        for user in ["bob", "ann"] {
            try await factors.add(.hotp(hotp), for: user)
            recovery = try await factors.confirm(try hotp.code(at: 0), for: user)
        }
        for _ in 0..<20 { #expect(await error(factors, try hotp.code(at: 0)) == Self.wrong) }
        let limited = await error(factors, try hotp.code(at: 1))
        #expect(limited?.code == .tooManyRequests && limited?.retryAfter == .seconds(4320))
        for count in 1...21 {
            let recovering = await accountError { () throws(AccountError) in
                try await factors.recover("aaaa-aaaa-aaaa-aaaa", for: "ann")
            }
            #expect(recovering?.code == (count <= 20 ? .wrongCode : .tooManyRequests))
        }
        // A thief of the password who guesses does not lock the owner out.
        #expect(try await factors.recover(recovery[0].exposedText, for: "ann") == 9)
        #expect(await error(factors, try hotp.code(at: 1), "bob") == nil)
        let later = SecondFactors(try await moments.after(4_320_000), secret: try .test())
        #expect(await error(later, try hotp.code(at: 1)) == nil)
        await moments.close()
    }

    @Test("Deleting a user deletes the factors, and a moved row opens for no other user")
    func bound() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let factors = try await factors(database)
        let hotp = try HOTP()
        try await factors.add(.hotp(hotp), for: "ann")
        _ = try await factors.confirm(try hotp.code(at: 0), for: "ann")
        try await database.transaction { (transaction) throws(AccountError) -> Void in
            try await transaction.run(
                "UPDATE signet_second_factors SET user_id = 'bob'", values: [])
        }
        #expect(await error(factors, try hotp.code(at: 1), "bob")?.code == .corrupt)
        #expect(await error(factors, try hotp.code(at: 1)) == Self.wrong)
        try await database.transaction { (transaction) throws(AccountError) -> Void in
            try await AccountUsers.delete("ann", in: transaction)
            try await AccountUsers.delete("bob", in: transaction)
        }
        for statement in [
            "SELECT user_id FROM signet_second_factors",
            "SELECT user_id FROM signet_recovery_codes",
        ] as [SQLStatement] {
            let rows = try await database.transaction { (transaction) throws(AccountError) in
                try await transaction.run(statement, values: [])
            }
            #expect(rows.isEmpty)
        }
    }
}
