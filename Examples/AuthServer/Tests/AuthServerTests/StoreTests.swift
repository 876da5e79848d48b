// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AuthServer
import DevIssuer
import Foundation
import SignetAccounts
import SignetJOSE
import Testing

@Suite("The server's store")
struct StoreTests {
    @Test("25 concurrent sign-ins of one person make one user and 25 sessions")
    func concurrentSignInsOfOnePersonMakeOnePerson() async throws {
        try await World.with { world in
            let ids = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<25 {
                    group.addTask { try UnverifiedClaims(await world.signIn().sessionToken).sub }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(ids.count == 1)
            #expect(try await world.users() == 1)
            #expect(try await world.sessions() == 25)
        }
    }

    /// What C cuts at a NUL would become another person's subject, and someone else's address.
    @Test("A subject with a NUL is refused, and other claims with one are dropped")
    func aNULDoesNotCutText() async throws {
        try await World.with { world in
            let subject = try await world.presents(
                try world.issuer.idToken(MintRequest(person: Person(sub: "s\0x"))))
            #expect(subject.status >= 400)
            #expect(try await world.users() == 0)
            let texts = try await world.signIn(
                Person(
                    sub: "s", email: "victim@company.example\0@evil.example", name: "A\0B",
                    picture: "\0"))
            #expect(texts.user.email == nil && texts.user.name == nil && texts.user.image == nil)
        }
    }

    /// An ID token may be presented again until it expires: that neither fills the database nor
    /// ends a session.
    @Test("The 31st session of a person is 429, and ends none of the others")
    func aPersonsSessionsAreBounded() async throws {
        try await World.with { world in
            try await world.stopLimits()
            let first = try await world.signIn().sessionToken
            let token = try world.issuer.idToken(MintRequest(person: .ada))
            for _ in 0..<29 { #expect(try await world.presents(token).status == 200) }
            for _ in 0..<3 {
                let answer = try await world.presents(token)
                #expect(answer.status == 429 && answer.header("retry-after") != nil)
                #expect(answer.body == #"{"error":"Too many requests"}"#)
            }
            #expect(try await world.sessions() == 30)
            #expect(try await world.client.get("/v1/auth/me", token: first).status == 200)
            _ = try await world.signIn(Person(sub: "2"))
        }
    }

    @Test("Only the owner may read the database's files")
    func onlyTheOwnerReadsTheDatabase() async throws {
        try await World.with { world in
            _ = try await world.signIn()
            for name in ["people.sqlite", "people.sqlite-wal", "people.sqlite-shm"] {
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: world.folder.path(name))
                #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
            }
        }
    }

    @Test("A sign-in that fails leaves nothing in the database")
    func aSignInIsWholeOrNothing() async throws {
        try await World.with { world in
            let tables: [(away: SQLStatement, back: SQLStatement)] = [
                (
                    "ALTER TABLE signet_profiles RENAME TO away",
                    "ALTER TABLE away RENAME TO signet_profiles"
                ),
                (
                    "ALTER TABLE signet_sessions RENAME TO away",
                    "ALTER TABLE away RENAME TO signet_sessions"
                ),
                (
                    "ALTER TABLE signet_limits RENAME TO away",
                    "ALTER TABLE away RENAME TO signet_limits"
                ),
            ]
            for table in tables {
                try await world.run(table.away)
                let answer = try await world.presents(
                    try world.issuer.idToken(MintRequest(person: .ada)))
                #expect(answer.status == 500)
                try await world.run(table.back)
                #expect(try await world.users() == 0)
                #expect(try await world.run("SELECT user_id FROM signet_profiles").isEmpty)
                #expect(try await world.run("SELECT user_id FROM signet_identities").isEmpty)
                #expect(try await world.sessions() == 0)
            }
            _ = try await world.signIn()
        }
    }
}
