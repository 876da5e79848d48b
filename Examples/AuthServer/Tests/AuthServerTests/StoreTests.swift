// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AuthServer
import Foundation
import GRDB
import Testing

@Suite struct StoreTests {
    @Test func manySignInsOfOnePersonAtATimeMakeOnePerson() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let store = try SQLiteAccountStore(path: folder.path("db"))
        let ids = try await withThrowingTaskGroup(of: String.self) { group in
            for index in 0..<100 {
                group.addTask {
                    try await store.signIn(
                        SignedInPerson(
                            issuer: "i", subject: "s", email: "\(index)@company.example",
                            givenName: "Ada"),
                        session: SessionRecord(id: "session-\(index)", created: 1, expires: 100)
                    ).id
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
    }

    /// What C ends at a NUL would be another person's subject, and somebody else's address.
    @Test func aNULMakesNoTextAnother() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let store = try SQLiteAccountStore(path: folder.path("db"))
        let session = SessionRecord(id: "session", created: 1, expires: 100)
        for (issuer, subject) in [("i", "s\0x"), ("i\0x", "s")] {
            await #expect(throws: AccountStoreError(code: "nul")) {
                try await store.signIn(
                    SignedInPerson(issuer: issuer, subject: subject), session: session)
            }
        }
        let account = try await store.signIn(
            SignedInPerson(
                issuer: "i", subject: "s", email: "victim@company.example\0@evil.example",
                name: "A\0B",
                picture: "\0", givenName: "G\0"),
            session: session)
        #expect(account.email == nil && account.name == nil && account.picture == nil)
        #expect(try await store.profile(of: account.id) == nil)
    }

    /// An ID token may be presented again and again until it ends: the file does not grow with that.
    @Test func aPersonsSessionsAreBounded() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let store = try SQLiteAccountStore(path: folder.path("db"))
        func sign(_ subject: String, _ session: String) async throws -> String {
            // The clock stands still, or was set back: the order is that of the sign-ins.
            let record = SessionRecord(id: session, created: 1, expires: 100)
            return try await store.signIn(
                SignedInPerson(issuer: "i", subject: subject), session: record
            ).id
        }
        let bob = try await sign("bob", "bob")
        var ada = ""
        for index in 0..<105 { ada = try await sign("ada", "session-\(index)") }
        for (index, isThere) in [(0, false), (4, false), (5, true), (104, true)] {
            let found = try await store.account(id: ada, session: "session-\(index)", now: 2)
            #expect((found != nil) == isThere, "\(index)")
        }
        #expect(try await store.account(id: bob, session: "bob", now: 2) != nil)
        let database = try DatabaseQueue(path: folder.path("db"))
        #expect(
            try await database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM sessions") }
                == 101)
    }

    @Test func nobodyElseReadsThePeople() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let store = try SQLiteAccountStore(path: folder.path("db"))
        _ = try await store.signIn(
            SignedInPerson(issuer: "i", subject: "s"),
            session: SessionRecord(id: "session", created: 1, expires: 100))
        for name in ["db", "db-wal", "db-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
    }

    @Test func aSignInIsWholeOrNothing() async throws {
        let folder = try TemporaryFolder()
        defer { folder.remove() }
        let path = folder.path("db")
        let store = try SQLiteAccountStore(path: path)
        let database = try DatabaseQueue(path: path)
        func sign(_ subject: String) async throws {
            _ = try await store.signIn(
                SignedInPerson(issuer: "i", subject: subject, givenName: "Ada"),
                session: SessionRecord(id: subject, created: 1, expires: 100))
        }
        for table in ["profiles", "sessions"] {
            try await database.write { db in
                try db.execute(
                    sql:
                        "CREATE TRIGGER stop BEFORE INSERT ON \(table) BEGIN SELECT RAISE(ABORT, 'no'); END"
                )
            }
            await #expect(throws: AccountStoreError.self) { try await sign(table) }
            try await database.write { try $0.execute(sql: "DROP TRIGGER stop") }
            let counts = try await database.read { db in
                try ["users", "profiles", "sessions"].map {
                    try Int.fetchOne(db, sql: "SELECT count(*) FROM \($0)")
                }
            }
            #expect(counts == [0, 0, 0], "\(table)")
        }
        try await sign("works")
        #expect(try await store.account(id: "nobody", session: "works", now: 2) == nil)
    }
}
