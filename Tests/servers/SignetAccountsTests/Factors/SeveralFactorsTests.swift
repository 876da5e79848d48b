// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetCrypto
import TestSupport
import Testing

@Suite("Several second factors of a user", .serialized, .timeLimit(.minutes(20)))
struct SeveralFactorsTests {
    /// A database with a user, and factors whose codes count, so that no test waits for a step.
    private struct Scene {
        let database: SQLiteAccounts
        let factors: SecondFactors

        init(_ database: SQLiteAccounts) async throws {
            self.database = database
            try await database.add("ann")
            factors = SecondFactors(database, secret: try .test())
        }

        init() async throws { try await self.init(try await SQLiteAccounts.inMemory()) }

        /// Adds a device, and confirms it with its first code.
        func confirmed(named name: String = "") async throws -> (id: String, device: HOTP) {
            let device = try HOTP()
            let id = try await factors.add(
                .hotp(device), named: name, besideOthers: true, for: "ann"
            ).id
            try await factors.confirm(try device.code(at: 0), of: id, for: "ann")
            return (id, device)
        }

        /// The code of the error; nil where the device's code is right.
        func verify(_ code: String, of id: String? = nil) async -> AccountError.Code? {
            await accountError { () throws(AccountError) in
                try await factors.verify(code, of: id, for: "ann")
                return true
            }?.code
        }
    }

    @Test("Each has a name and a state, and its code is its own")
    func several() async throws {
        let scene = try await Scene()
        let phone = try await scene.confirmed(named: "phone")
        let key = try await scene.confirmed(named: "key")
        let added = try await scene.factors.add(
            .totp(TOTP()), named: "tablet", besideOthers: true, for: "ann")
        #expect(!added.isConfirmed && added.kind == .code)
        let all = try await scene.factors.factors(of: "ann")
        #expect(Set(all.map(\.name)) == ["phone", "key", "tablet"])
        #expect(Set(all.filter(\.isConfirmed).map(\.id)) == [phone.id, key.id])
        #expect(await scene.verify(try key.device.code(at: 1), of: phone.id) == .wrongCode)
        #expect(await scene.verify(try key.device.code(at: 1), of: key.id) == nil)
        // Whichever has the code.
        #expect(await scene.verify(try phone.device.code(at: 1)) == nil)
        #expect(await scene.verify(try key.device.code(at: 2)) == nil)
        #expect(await scene.verify(try key.device.code(at: 2)) == .wrongCode)
        #expect(await scene.verify(try key.device.code(at: 3), of: "none\0") == .wrongCode)
    }

    @Test("With ten confirmed the eleventh is refused, and so is the name of a confirmed one")
    func bounded() async throws {
        let scene = try await Scene()
        func refused(_ name: String) async -> AccountError.Code? {
            await accountError { () throws(AccountError) in
                try await scene.factors.add(
                    .totp(try TOTP()), named: name, besideOthers: true, for: "ann")
            }?.code
        }
        _ = try await scene.confirmed(named: "a")
        #expect(await refused("a") == .factorNameTaken)
        #expect(await refused("\u{e9}") == nil)
        // The same letter in another form is another name.
        #expect(await refused("e\u{301}") == nil)
        #expect(await refused("a\u{7}") == .invalidParameter)
        #expect(await refused(String(repeating: "n", count: 256)) == .invalidParameter)
        for _ in 0..<9 { _ = try await scene.confirmed() }
        #expect(await refused("b") == .tooManyFactors)
        #expect(try await scene.factors.factors(of: "ann").count == 10)
    }

    @Test("One that is not confirmed gives way: to one of its name, the oldest to the eleventh")
    func givesWay() async throws {
        let scene = try await Scene()
        let factors = scene.factors
        func added(_ name: String) async throws -> String {
            try await factors.add(.totp(TOTP()), named: name, besideOthers: true, for: "ann").id
        }
        func all() async throws -> Set<String> {
            Set(try await factors.factors(of: "ann").map(\.id))
        }
        let (key, _) = try await scene.confirmed(named: "key")
        let replaced = try await added("phone")
        let phone = try await added("phone")
        #expect(try await all() == [key, phone] && replaced != phone)
        for _ in 0..<8 { _ = try await added("") }
        try await scene.database.run(
            "UPDATE signet_second_factors SET added_at = added_at - 1000 WHERE id = $1",
            values: [.text(phone)])
        let last = try await added("tablet")
        let left = try await all()
        #expect(left.count == 10 && left.contains(key) && left.contains(last))
        #expect(!left.contains(phone))
    }

    @Test("Beside a confirmed one a further one is added only where the caller says so")
    func besideOthers() async throws {
        let scene = try await Scene()
        for _ in 0..<2 { try await scene.factors.add(.totp(TOTP()), for: "ann") }
        _ = try await scene.confirmed()
        let error = await accountError { () throws(AccountError) in
            try await scene.factors.add(.totp(try TOTP()), for: "ann")
        }
        #expect(error?.code == .conflict)
        #expect(try await scene.factors.factors(of: "ann").count == 1)
    }

    @Test("One that is not confirmed ends after ten minutes")
    func ended() async throws {
        let moments = try Moments()
        let scene = try await Scene(try await moments.after(0))
        let device = try HOTP()
        let id = try await scene.factors.add(.hotp(device), named: "phone", for: "ann").id
        for (milliseconds, isThere) in [(599_999 as Int64, true), (600_000, false)] {
            let later = SecondFactors(try await moments.after(milliseconds), secret: try .test())
            #expect(try await later.factors(of: "ann").isEmpty != isThere)
        }
        let late = SecondFactors(try await moments.after(600_000), secret: try .test())
        let error = await accountError { () throws(AccountError) in
            try await late.confirm(try device.code(at: 0), of: id, for: "ann")
        }
        #expect(error?.code == .wrongCode)
        // The name is free.
        try await late.add(.hotp(device), named: "phone", for: "ann")
        await moments.close()
    }

    @Test("Confirming one removes those that somebody else may have added")
    func others() async throws {
        let scene = try await Scene()
        let prepared = try HOTP()
        let id = try await scene.factors.add(.hotp(prepared), for: "ann").id
        _ = try await scene.confirmed()
        let error = await accountError { () throws(AccountError) in
            try await scene.factors.confirm(try prepared.code(at: 0), of: id, for: "ann")
        }
        #expect(error?.code == .wrongCode)
        #expect(try await scene.factors.factors(of: "ann").count == 1)
    }

    @Test("Wrong codes count for each factor by itself")
    func limits() async throws {
        let scene = try await Scene()
        let (phone, key) = (try await scene.confirmed(), try await scene.confirmed())
        for _ in 0..<20 {
            #expect(await scene.verify(try phone.device.code(at: 0), of: phone.id) == .wrongCode)
        }
        #expect(
            await scene.verify(try phone.device.code(at: 1), of: phone.id) == .tooManyRequests)
        // The limit of one does not keep its owner from the other.
        #expect(await scene.verify(try key.device.code(at: 1), of: key.id) == nil)
        #expect(await scene.verify(try key.device.code(at: 2)) == nil)
        // A code without a factor's name counts for each factor that it was compared with.
        for _ in 0..<20 { #expect(await scene.verify("abcdef") == .wrongCode) }
        #expect(await scene.verify(try key.device.code(at: 3)) == .tooManyRequests)
    }

    @Test("A factor of another kind is required and listed, and no code opens it")
    func otherKind() async throws {
        let scene = try await Scene()
        let (id, device) = try await scene.confirmed()
        try await scene.database.run("UPDATE signet_second_factors SET kind = 'passkey'")
        #expect(try await scene.factors.isRequired(for: "ann"))
        #expect(try await scene.factors.factors(of: "ann").map(\.kind.name) == ["passkey"])
        for named in [id, nil] {
            #expect(await scene.verify(try device.code(at: 1), of: named) == .wrongCode)
        }
    }

    @Test("Recovery codes come with the first, and go with the last")
    func recoveryCodes() async throws {
        let scene = try await Scene()
        let factors = scene.factors
        let (first, second) = (try HOTP(), try HOTP())
        let firstID = try await factors.add(.hotp(first), for: "ann").id
        let codes = try await factors.confirm(try first.code(at: 0), for: "ann")
        let secondID = try await factors.add(.hotp(second), besideOthers: true, for: "ann").id
        #expect(try await factors.confirm(try second.code(at: 0), for: "ann").isEmpty)
        #expect(codes.count == 10)
        #expect(try await factors.remove("none", for: "ann") == nil)
        #expect(try await factors.remove(firstID, for: "bob") == nil)
        #expect(try await factors.remove(firstID, for: "ann")?.isConfirmed == true)
        #expect(try await factors.recover(codes[0].exposedText, for: "ann") == 9)
        try await factors.remove(secondID, for: "ann")
        #expect(try await !factors.isRequired(for: "ann"))
        let error = await accountError { () throws(AccountError) in
            try await factors.recover(codes[1].exposedText, for: "ann")
        }
        #expect(error?.code == .wrongCode)
    }

    @Test("In the caller's transaction a code is used with what it opens, or neither")
    func oneTransaction() async throws {
        let scene = try await Scene()
        let (id, device) = try await scene.confirmed()
        let sessions = try RefreshTokens(
            database: scene.database, issuer: SessionFixture.issuer())
        let factors = scene.factors
        let code = try device.code(at: 1)
        let begin = { (fails: Bool) async throws(AccountError) -> IssuedTokens? in
            try await scene.database.transaction {
                (transaction) throws(AccountError) -> IssuedTokens? in
                let used = try await factors.verify(code, of: id, for: "ann", in: transaction)
                guard used != nil else { return nil }
                let issued = try await sessions.begin(for: "ann", in: transaction)
                if fails { throw AccountError(.unavailable, "As the test wants it.") }
                return issued
            }
        }
        await #expect(throws: AccountError(.unavailable, "")) { try await begin(true) }
        #expect(try await begin(false) != nil)
        #expect(try await begin(false) == nil)
        #expect(try await sessions.sessions(of: "ann").count == 1)
        // A wrong code is counted, because its transaction commits.
        for _ in 0..<19 { #expect(try await begin(false) == nil) }
        let limited = await accountError { () throws(AccountError) in try await begin(false) }
        #expect(limited?.code == .tooManyRequests)
    }

    @Test("A device of a database from before goes on as the user's only factor")
    func migrated() async throws {
        let database = try await SQLiteAccounts.inMemory()
        for user in ["ann", "bob"] { try await database.add(user) }
        let statements: [SQLStatement] = [
            "DROP TABLE signet_second_factors",
            """
            CREATE TABLE signet_factors (
                user_id TEXT NOT NULL PRIMARY KEY
                    REFERENCES signet_users (id) ON DELETE CASCADE,
                sealed {bytes} NOT NULL, confirmed {integer} NOT NULL,
                last_step {integer} NOT NULL) {strict}
            """,
            "DELETE FROM signet_schema_steps WHERE name IN ('factors.2', 'factors.3')",
        ]
        for statement in statements { try await database.run(statement) }
        // RFC 4226, appendix D, sealed under 32 bytes of 1 by Python's `cryptography`, by the
        // description of XAES-256-GCM in C2SP.
        let sealed = bytes(
            """
            000102030405060708090a0b0c0d0e0f101112131415161700ebca8d7ff0ab65c0516a8779df2d5e851d71\
            7348702d85ad7e0a9216c88e3648dadc763f618b07
            """)
        for (user, isConfirmed) in [("ann", 1 as Int64), ("bob", 0)] {
            try await database.run(
                """
                INSERT INTO signet_factors (user_id, sealed, confirmed, last_step)
                VALUES ($1, $2, $3, 0)
                """, values: [.text(user), .bytes(sealed), .integer(isConfirmed)])
        }
        try await AccountSchema.migrate(database)
        // A server of the version before finds no table, and lets no one in.
        let tables = try await database.run(
            "SELECT name FROM sqlite_schema WHERE name IN ('signet_factors', 'signet_factors_1')")
        #expect(tables.isEmpty)
        let factors = SecondFactors(database, secret: try .test())
        let all = try await factors.factors(of: "ann")
        #expect(all.map(\.id) == ["ann"] && all.allSatisfy(\.isConfirmed))
        #expect(try await factors.factors(of: "bob").isEmpty)
        let error = await accountError { () throws(AccountError) in
            // The code of the step that was used last.
            try await factors.verify("755224", for: "ann")
            return true
        }
        #expect(error?.code == .wrongCode)
        try await factors.verify("287082", for: "ann")
        try await factors.verify("359152", of: "ann", for: "ann")
        let next = try HOTP()
        try await factors.add(.hotp(next), besideOthers: true, for: "ann")
        #expect(try await factors.confirm(try next.code(at: 0), for: "ann").isEmpty)
        #expect(try await factors.factors(of: "ann").count == 2)
    }
}
