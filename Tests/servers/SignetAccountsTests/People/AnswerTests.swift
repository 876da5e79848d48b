// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
import SignetEmail
import SignetIdentity
import SignetSignIn
import Testing

@Suite("Accounts in JSON", .serialized)
struct AnswerTests {
    private func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    @Test("Tokens are named as in RFC 6749, and none is printed")
    func tokens() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let user = try await People(database).findOrAdd(.phone(PhoneNumber("+1415"))).user
        let sessions = try RefreshTokens(database: database, issuer: try SessionFixture.issuer())
        let issued = try await sessions.begin(for: user.id, device: "Pixel")
        let least =
            #"{"access_token":"\#(issued.accessToken)","expires_in":3600,"#
            + #""refresh_token":"\#(issued.refreshToken)","token_type":"Bearer""#
        #expect(try text(TokenAnswer(issued)) == least + "}")
        let all = try text(TokenAnswer(issued, user: user))
        #expect(all.hasPrefix(least + #","user":{"created_at":"#))
        var dumped = ""
        dump(TokenAnswer(issued, user: user), to: &dumped)
        for printed in ["\(TokenAnswer(issued))", dumped] {
            #expect(!printed.contains(issued.refreshToken) && !printed.contains("1415"))
        }
        let listed = try text(issued.session)
        #expect(listed.hasPrefix(#"{"begun_at":"#) && listed.contains(#""device":"Pixel""#))
        #expect(!listed.contains(user.id))
    }

    @Test("The answer to a sent code counts whole seconds")
    func sent() async throws {
        let codes = OneTimeCodes(try await SQLiteAccounts.inMemory(), secret: try .test())
        let sent = try await codes.send(
            to: .phone(PhoneNumber("+14155551234")), for: .signIn, from: nil)
        #expect(
            try text(sent)
                == #"{"challenge":"\#(sent.challenge.text)","expires_in":300,"resend_after":60}"#)
        let name = Data(#"["\#(sent.challenge.text)"]"#.utf8)
        #expect(
            try JSONDecoder().decode([CodeChallenge].self, from: name) == [sent.challenge])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([CodeChallenge].self, from: Data(#"["x"]"#.utf8))
        }
    }

    @Test("A valid change of a profile is read, and any other is rejected")
    func changes() throws {
        func read(_ text: String) throws -> ProfileChange {
            try JSONDecoder().decode(ProfileChange.self, from: Data(text.utf8))
        }
        let change = try read(
            #"{"full_name":" Ann ","display_name":"A","username":"Ann.L","avatar_url":"https://a.example/b","x":1}"#
        )
        #expect(change.fullName?.text == "Ann" && change.displayName?.text == "A")
        #expect(change.username?.text == "Ann.L" && !change.removesAvatar)
        #expect(change.avatar?.text == "https://a.example/b")
        let none = try read(#"{"full_name":null}"#)
        #expect(none.fullName == nil && none.avatar == nil && !none.removesAvatar)
        let removed = try read(#"{"avatar_url":""}"#)
        #expect(removed.removesAvatar && removed.avatar == nil)
        for text in [
            #"{"full_name":""}"#, #"{"display_name":"\u202e"}"#, #"{"username":"admin"}"#,
            #"{"username":7}"#, #"{"avatar_url":"http://localhost/"}"#, "[]",
            #"{"avatar_url":"javascript:x"}"#,
        ] {
            #expect(throws: DecodingError.self, "\(text)") { try read(text) }
        }
    }
}
