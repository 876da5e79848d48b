// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetSignIn
import Testing

@Suite("Names and users for clients", .serialized)
struct UserAccountTests {
    @Test(
        "A full name in any script is accepted, and trimmed",
        arguments: [
            "Ann", "  Ann Lee\t", "李小龍", "محمد", "Zoë", "J.", "👩‍👩‍👧", "\u{a0}O'Neil ",
            "نیم\u{200c}فاصله",
            String(repeating: "a", count: 100), String(repeating: "李", count: 100),
        ])
    func names(text: String) throws {
        let name = try PersonName(text)
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(Array(name.text.utf8) == Array(trimmed.utf8))
    }

    @Test(
        "An empty, invisible, overlong or direction-changing name counts as none",
        arguments: [
            "", " ", "\u{200b}", "\u{3000}\u{a0}", "\u{200d}", "\u{3164}", "\u{2800}", "\u{301}",
            "\u{e000}", "a\nb", "a\0b", "a\u{7f}", "a\u{9b}", "a\u{2028}b", "a\u{202e}b",
            "a\u{2066}b", "a\u{200f}b", "a\u{ffff}", "a\u{e0041}",
            String(repeating: "a", count: 101), String(repeating: " ", count: 2000) + "a",
        ])
    func noNames(text: String) {
        #expect(throws: SignInInputError(.invalidName, "")) { try PersonName(text) }
    }

    private func user() -> UserAccount {
        let time = NumericDate(secondsSince1970: 1_790_000_000)
        return UserAccount(id: "u-1", createdAt: time, updatedAt: time)
    }

    @Test("The initial is that of the first name, else of the address, else a question mark")
    func initials() {
        let table: [(full: String?, display: String, email: String?, initial: String)] = [
            ("ann Lee", "Me", "x@a.example", "A"), ("  ann", "Me", nil, "A"),
            ("  ", "Me", "x@a.example", "X"), (nil, "Me", "x@a.example", "X"),
            (nil, "Me", nil, "?"), (nil, "Me", "", "?"), ("ßabel", "Me", nil, "S"),
            ("ǆon", "Me", nil, "Ǆ"), (nil, "zoe", "x@a.example", "Z"), ("李小龍", "Me", nil, "李"),
            ("e\u{301}mile", "Me", nil, "E"), ("\u{200b}", "Me", "x@a.example", "X"),
        ]
        for row in table {
            var user = user()
            (user.fullName, user.displayName, user.email) = (row.full, row.display, row.email)
            #expect(user.initial == row.initial, "\(row)")
        }
    }

    @Test("The first name is the first word")
    func firstNames() {
        var user = user()
        #expect(user.firstName == nil)
        user.displayName = "Annie L"
        #expect(user.firstName == "Annie")
        user.fullName = " Ann\u{a0}Lee"
        #expect(user.firstName == "Ann")
    }

    @Test("Server and clients share one JSON model")
    func json() throws {
        var user = user()
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let least = String(decoding: try encoder.encode(user), as: UTF8.self)
        #expect(
            least == """
                {"created_at":1790000000,"display_name":"Me","email_verified":false,"id":"u-1",\
                "is_guest":false,"needs_profile":false,"updated_at":1790000000}
                """)
        (user.fullName, user.username, user.avatar) = ("Ann Lee", "ann", "https://i.example/a")
        (user.email, user.phone, user.isEmailVerified) = ("a@a.example", "+1415", true)
        let all = try encoder.encode(user)
        let read = try JSONDecoder().decode(UserAccount.self, from: all)
        #expect(try encoder.encode(read) == all)
        #expect(String(decoding: all, as: UTF8.self).contains("\"full_name\":\"Ann Lee\""))
        // Additional members from a later server are not an error.
        let more = Data((least.dropLast() + ",\"favorite_teams\":[]}").utf8)
        #expect(try JSONDecoder().decode(UserAccount.self, from: more).id == "u-1")
    }

    private func asked(_ field: inout UsernameField, _ text: String) throws
        -> UsernameField.Question
    {
        let question = field.type(text)
        return try #require(question)
    }

    @Test("A late answer about a name changes nothing")
    func lateAnswers() throws {
        var field = UsernameField()
        #expect(field.state == .empty)
        let none = field.type("an")
        #expect(none == nil)
        guard case .refused(let error) = field.state else {
            Issue.record("an is no name")
            return
        }
        #expect(error.code == .invalidUsername)
        let first = try asked(&field, "ann")
        let second = try asked(&field, "anna")
        #expect(field.state == .asking && !field.isCurrent(first) && field.isCurrent(second))
        field.answer(first, isFree: false)
        #expect(field.state == .asking)
        field.answer(second, isFree: true)
        field.answer(first, isFree: false)
        #expect(field.state == .free && second.name.text == "anna")
        let again = try asked(&field, "ann")
        field.answer(again, isFree: false)
        #expect(field.state == .taken)
        let failed = try asked(&field, "ann")
        field.answer(failed, isFree: nil)
        #expect(field.state == .unknown)
        let empty = field.type("")
        #expect(empty == nil && field.state == .empty)
        field.answer(failed, isFree: true)
        #expect(field.state == .empty)
    }
}
