// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

/// Auth.js stands on jose for Node. `encrypted.js` derives its keys with Node's own HKDF.
@Suite(
    "Session tokens of Auth.js, exchanged with jose for Node",
    .tags(.interop),
    .enabled(if: EncryptionPeer.nodeJose.isAvailable, "\(EncryptionPeer.nodeJose.absence)"))
struct AuthJSPeerTests {
    private static let now: Int64 = 1_800_000_000
    private static let old = "c2VjcmV0LW9mLXRoZS1maWd1cmVzLTMyLWJ5dGVzISE="
    private static let new = "bmV3ZXItb2YtdGhlLWZpZ3VyZXMtdGhpcnR5LTIhISE="

    /// What a website's callback writes, with the claims of Auth.js's own.
    private struct WebsiteClaims: Codable, Equatable {
        var sub = "user-1"
        var name = "Zoë ☃"
        var account = "google|117584285732048297471"
        var exp: Int64?
    }

    /// A website's secrets, and the one with which Signet writes.
    struct Website: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let version: AuthJSSessions.Version
        let cookieName: AuthJSSessions.CookieName
        let secrets: [String]
        let writing: String

        /// What opens its cookies with other secrets.
        func sessions(_ secrets: [String]) throws -> AuthJSSessions {
            try AuthJSSessions(
                version, secrets: secrets, cookieName: cookieName,
                clock: .fixed(secondsSince1970: Double(AuthJSPeerTests.now)))
        }
    }

    private struct Question: Encodable {
        let isV5: Bool
        let cookie: String
        let secrets: [String]
        let now: Int64
        let token: String
        let claims: WebsiteClaims
    }

    private struct Answer: Decodable {
        let opened: WebsiteClaims?
        let token: String?
        let error: String?
    }

    static let websites = [
        Website(
            testDescription: "version 5, https", version: .v5, cookieName: .secure,
            secrets: [old], writing: old),
        Website(
            testDescription: "version 5, http", version: .v5, cookieName: .unencrypted,
            secrets: [old], writing: old),
        Website(
            testDescription: "a name of the program's own, and a secret outside ASCII",
            version: .v5, cookieName: .custom("__Host-site.session"),
            secrets: ["Schlüssel-für-die-Sitzung-ünïcödé"],
            writing: "Schlüssel-für-die-Sitzung-ünïcödé"),
        Website(
            testDescription: "two secrets, and a token of the older", version: .v5,
            cookieName: .secure, secrets: [new, old], writing: old),
        Website(
            testDescription: "version 4, https", version: .v4, cookieName: .secure,
            secrets: [old], writing: old),
        Website(
            testDescription: "version 4, http", version: .v4, cookieName: .unencrypted,
            secrets: [old], writing: old),
    ]

    @Test("Each opens what the other has written", arguments: websites)
    func exchanged(_ website: Website) throws {
        let sessions = try website.sessions(website.secrets)
        let own = try website.sessions([website.writing])
            .makeToken(WebsiteClaims(exp: Self.now + 3600))
        let answer = try ask(
            website, cookie: sessions.cookieName, secrets: website.secrets, token: own)
        #expect(answer.error == nil)
        #expect(answer.opened == WebsiteClaims(exp: Self.now + 3600))

        let token = try #require(answer.token)
        let opened = try sessions.verify(
            sessions.token(cookies: ["\(sessions.cookieName)=\(token)"]))
        #expect(
            try opened.claims(as: WebsiteClaims.self) == WebsiteClaims(exp: Self.now + 30 * 86_400))
        #expect(opened.issuedAt == NumericDate(secondsSince1970: Double(Self.now)))
    }

    @Test("Neither opens what was written with another secret", arguments: websites)
    func otherSecret(_ website: Website) throws {
        let sessions = try website.sessions([website.writing])
        let own = try sessions.makeToken(WebsiteClaims(exp: Self.now + 3600))
        let other = website.writing + "x"
        let refused = try ask(website, cookie: sessions.cookieName, secrets: [other], token: own)
        #expect(refused.opened == nil && refused.error != nil)

        let theirs = try website.sessions([other]).makeToken(WebsiteClaims(exp: Self.now + 3600))
        let answer = try ask(website, cookie: sessions.cookieName, secrets: [other], token: theirs)
        let token = try #require(answer.token)
        let code = refusal {
            try sessions.verify(sessions.token(cookies: ["\(sessions.cookieName)=\(token)"]))
        }?.code
        let expected: TokenError.Code =
            website.version == .v5 ? .noMatchingKey : .decryptionFailed
        #expect(code == expected)
    }

    private func ask(
        _ website: Website, cookie: String, secrets: [String], token: String
    ) throws -> Answer {
        struct Answers: Decodable {
            let answers: [Answer]
        }
        let question = Question(
            isV5: website.version == .v5, cookie: cookie, secrets: secrets,
            now: Self.now, token: token, claims: WebsiteClaims())
        let output = try EncryptionPeer.nodeJose.answer(
            to: JSONEncoder().encode(["sessions": [question]]))
        return try #require(JSONDecoder().decode(Answers.self, from: output).answers.first)
    }
}
