// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetSessionTesting
import Testing

/// The server accepts each token once, and ends the session of one that is used again.
@Suite("SessionManager: an exchange is a record of two steps", .timeLimit(.minutes(20)))
struct RecordTests {
    static let codes: [StoreError.Code] = [
        .locked, .unavailable, .busy, .timedOut, .conflict, .readOnly, .corrupt, .tooLarge,
        .insecureFile, .cancelled, .rolledBack,
    ]

    /// A program that ends after one call for a token.
    private func call(_ fixture: ManagerFixture, over store: any SecureStore) async throws -> String
    {
        await (try fixture.manager(over: store)).outcome()
    }

    @Test("A store that cannot be written is found out before a token is spent", arguments: codes)
    func beforeAsking(_ code: StoreError.Code) async throws {
        for moment in [FaultyStore.Moment.before, .after] {
            let fixture = ManagerFixture()
            let faulty = FaultyStore(fixture.store)
            _ = try await fixture.signedIn()
            fixture.clock.advance(by: .seconds(3700))
            faulty.failCalls(with: code, moment: moment, onlyWrites: true)
            let expected = ["locked", "cancelled"].contains(code.rawValue) ? code : .unavailable
            #expect(try await call(fixture, over: faulty) == expected.rawValue)
            #expect(fixture.server.exchangeCount == 0)
            faulty.recover()
            #expect(try await call(fixture, over: faulty) == "access-user-1-2")
            #expect(fixture.server.exchangeCount == 1 && fixture.server.refusalCount == 0)
        }
    }

    @Test("A store without room is found out before a token is spent", arguments: codes)
    func withoutRoom(_ code: StoreError.Code) async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        _ = try await fixture.signedIn()
        fixture.clock.advance(by: .seconds(3700))
        // 1 and 3 read, 2 locks, 4 and 5 mark the exchange as begun.
        faulty.failCall(6, with: code)
        #expect(try await call(fixture, over: faulty) != "access-user-1-2")
        #expect(faulty.calls[5].operation == .reserveRoom && fixture.server.exchangeCount == 0)
        #expect(try await call(fixture, over: faulty) == "access-user-1-2")
        #expect(fixture.server.exchangeCount == 1 && fixture.server.refusalCount == 0)
    }

    @Test("A token that is good still is given while the store cannot be written")
    func goodMeanwhile() async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        _ = try await fixture.signedIn()
        fixture.clock.advance(by: .seconds(3400))
        faulty.failCalls(with: .readOnly, onlyWrites: true)
        #expect(try await call(fixture, over: faulty) == "access-user-1-1")
        #expect(fixture.server.exchangeCount == 0)
    }

    @Test(
        "A store that fails once for the successor costs nothing, and asks for no second exchange",
        arguments: codes)
    func successorFailsOnce(_ code: StoreError.Code) async throws {
        for moment in [FaultyStore.Moment.before, .after] {
            let fixture = ManagerFixture()
            let faulty = FaultyStore(fixture.store)
            let manager = try await fixture.signedIn(over: faulty)
            fixture.clock.advance(by: .seconds(3700))
            faulty.failCall(2, with: code, moment: moment, onlyWrites: true)
            _ = await manager.outcome()
            fixture.clock.advance(by: .seconds(2))
            #expect(await manager.outcome() == "access-user-1-2")
            #expect(try await call(fixture, over: faulty) == "access-user-1-2")
            #expect(fixture.server.exchangeCount == 1 && fixture.server.refusalCount == 0)
        }
    }

    @Test(
        "A store that is busy for the successor is waited for, and others get their turn",
        arguments: [StoreError.Code.busy, .timedOut])
    func busy(_ code: StoreError.Code) async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        let manager = try await fixture.signedIn(over: faulty)
        fixture.clock.advance(by: .seconds(3700))
        faulty.failCalls(from: 2, with: code, onlyWrites: true)
        let caller = Task { await manager.outcome() }
        func writes() -> Int { faulty.calls.count { $0.operation == .replace } }
        try await until { writes() >= 6 }
        #expect(await manager.start().isSignedIn)
        fixture.clock.advance(by: .seconds(60))
        let before = writes()
        try await until { writes() > before }
        faulty.recover()
        #expect(await caller.value == "access-user-1-2")
        #expect(fixture.server.exchangeCount == 1 && fixture.server.refusalCount == 0)
    }

    @Test("After 90 s of a busy store the successor is kept in memory")
    func busyTooLong() async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        let store = GatedStore(faulty)
        let manager = try await fixture.signedIn(over: store)
        fixture.clock.advance(by: .seconds(3700))
        faulty.failCalls(from: 2, with: .busy, onlyWrites: true)
        fixture.server.hold()
        let caller = Task { await manager.outcome() }
        try await until { fixture.server.waitingCount == 1 }
        // Each of three attempts takes half a minute.
        var gate = store.hold(.replace, after: false)
        fixture.server.release()
        for attempt in 1...3 {
            try await until { gate.isReached }
            let reached = gate
            if attempt < 3 { gate = store.hold(.replace, after: false) }
            fixture.clock.advance(by: .seconds(30))
            reached.open()
        }
        #expect(await caller.value == "unavailable")
        faulty.recover()
        fixture.clock.advance(by: .seconds(2))
        #expect(await manager.outcome() == "access-user-1-2")
        #expect(fixture.server.exchangeCount == 1 && fixture.server.refusalCount == 0)
    }

    @Test("While the server is asked the item is begun and as large as its successor can be")
    func begun() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        let idle = try await fixture.storedText()
        fixture.clock.advance(by: .seconds(3700))
        fixture.server.hold()
        let caller = Task { await manager.outcome() }
        try await until { fixture.server.waitingCount == 1 }
        let begun = try await fixture.storedText()
        #expect(begun.contains(#""phase":"begun""#) && begun.contains("refresh-user-1-1"))
        #expect(begun.utf8.count >= max(2 * 16_384 + 65_536, idle.utf8.count + 8_192))
        let value = try #require(try await fixture.store.get(ManagerFixture.item))
        let old = try value.decoded(as: OldDocument.self)
        #expect(old.version == 1 && old.refreshToken == "refresh-user-1-1")
        fixture.server.release()
        #expect(await caller.value == "access-user-1-2")
        let after = try await fixture.storedText()
        #expect(!after.contains("phase") && !after.contains("padding"))
        #expect(after.utf8.count == idle.utf8.count)
    }

    @Test("A begun exchange that is found is asked for with the same token")
    func foundBegun() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        fixture.clock.advance(by: .seconds(3700))
        fixture.server.failCall(1, with: SessionError(.unreachable, "x"))
        #expect(await manager.outcome() == "unreachable")
        #expect(try await fixture.storedText().contains("begun"))
        #expect(try await call(fixture, over: fixture.store) == "access-user-1-2")
        #expect(fixture.server.refusalCount == 0)
    }

    @Test("A store that takes no item of the padded size takes the exchange")
    func smallStore() async throws {
        let fixture = ManagerFixture()
        let faulty = FaultyStore(fixture.store)
        _ = try await fixture.signedIn()
        fixture.clock.advance(by: .seconds(3700))
        faulty.failCall(1, with: .tooLarge, onlyWrites: true)
        #expect(try await call(fixture, over: faulty) == "access-user-1-2")
    }

    @Test("An item of an older program is read, and exchanged")
    func oldItem() async throws {
        let fixture = ManagerFixture()
        _ = try fixture.server.signIn("user-1")
        let text = StoredText.session(userID: "user-1")
        try await fixture.store.set(
            SecretValue(bytes: text.utf8, type: .json), for: ManagerFixture.item)
        #expect(try await call(fixture, over: fixture.store) == "access-user-1-2")
    }

    @Test("An answer that is refused signs nobody out, and the session is asked for again")
    func refusedAnswer() async throws {
        let fixture = ManagerFixture()
        let manager = try await fixture.signedIn()
        fixture.clock.advance(by: .seconds(3700))
        fixture.server.failCall(1, with: SessionError(.invalidToken, "x"))
        #expect(await manager.outcome() == "invalidAnswer")
        #expect(manager.state.isSignedIn)
        #expect(try await call(fixture, over: fixture.store) == "access-user-1-2")
    }
}

/// What a program before the record of two steps reads.
struct OldDocument: Codable {
    var version = 1
    var session: [UInt8]
    var accessToken: String
    var refreshToken: String?
    var userID: String
    var profile: String?
    var obtained: Double
    var lifetime: Double
}
