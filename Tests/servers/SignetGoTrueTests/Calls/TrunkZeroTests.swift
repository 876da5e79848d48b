// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetGoTrue
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

/// Accounts review of 2026-11-26, finding 11.
@Suite("A number with the 0 of domestic calls is the number without", .serialized)
struct TrunkZeroTests {
    @Test(
        "Both spellings are one destination, and one account",
        arguments: Engine.allCases)
    func oneAccount(_ engine: Engine) async throws {
        guard let scene = try await AddressChangeTests.scene(engine) else { return }
        let first = try await scene.signIn("447911123456")
        #expect(first.status == 200)
        try await scene.pass(61)
        _ = try await scene.call("POST /otp", "{\"phone\":\"+44 07911 123456\"}")
        let code = try #require(await scene.code(to: "+447911123456"))
        let second = try await scene.call(
            "POST /verify",
            "{\"type\":\"sms\",\"phone\":\"4407911123456\",\"token\":\"\(code)\"}")
        #expect(second.userID == first.userID)
        #expect(second.json["user"]?["phone"]?.stringValue == "447911123456")
        // In Italy it belongs to the number.
        let rome = try await scene.signIn("390669812345")
        #expect(rome.json["user"]?["phone"]?.stringValue == "390669812345")
    }

    @Test(
        "A number that was stored with it is found after the update",
        arguments: Engine.allCases)
    func yesterday(_ engine: Engine) async throws {
        guard let scene = try await AddressChangeTests.scene(engine) else { return }
        let database = scene.database
        let user = try #require(try await scene.signIn("447911123456").userID)
        let twice = try #require(try await scene.signIn("4930123456").userID)
        // As the version before wrote them: one number, one in both spellings, one of each country.
        var numbers: [String] = []
        for code in 1...999 { numbers.append("+\(code)0\(code)23456") }
        let stored = numbers
        try await database.transaction { (transaction) throws(AccountError) -> Void in
            for (table, column) in [
                (
                    "UPDATE signet_identities SET subject = $1 WHERE subject = $2" as SQLStatement,
                    "+447911123456"
                ),
                ("UPDATE signet_profiles SET phone = $1 WHERE phone = $2", "+447911123456"),
            ] {
                try await transaction.run(table, values: [.text("+4407911123456"), .text(column)])
            }
            try await AccountUsers.add("other", in: transaction)
            for number in stored + ["+49030123456", "+44007911123456", "+440"] {
                try await transaction.run(
                    """
                    INSERT INTO signet_identities (issuer, subject, user_id, linked_at)
                    VALUES ('phone', $1, 'other', {now})
                    """, values: [.text(number)])
            }
            try await transaction.run(
                "DELETE FROM signet_schema_steps WHERE name = 'people.2'", values: [])
        }
        try await AccountSchema.migrate(database)
        try await AccountSchema.migrate(database)

        let people = People(database)
        let number = UserIdentity.phone(try PhoneNumber("+4407911123456"))
        #expect(try await people.findOrAdd(number).user.id == user)
        #expect(try await people.user(user)?.phone == "+447911123456")
        // Each spelling belongs to somebody: both stay, and the shorter one is found.
        let both = UserIdentity.phone(try PhoneNumber("+49030123456"))
        #expect(try await people.findOrAdd(both).user.id == twice)
        var expected = Set(["+49030123456", "+44007911123456", "+440"])
        for number in stored { expected.insert(try PhoneNumber(number).e164) }
        let found = try await database.transaction { (transaction) throws(AccountError) in
            let rows = try await transaction.run(
                "SELECT subject FROM signet_identities WHERE user_id = 'other'", values: [])
            return try rows.map { (row) throws(AccountError) in try row.text(0) }
        }
        #expect(Set(found) == expected)
        #expect(found.count == stored.count + 3)
    }
}
