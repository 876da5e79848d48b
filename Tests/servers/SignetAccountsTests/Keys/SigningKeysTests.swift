// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase
import SignetCrypto
import SignetIdentity
import SignetJOSE
import SignetVault
import TestSupport
import Testing

@Suite("Signing keys in a store", .serialized, .timeLimit(.minutes(20)))
struct SigningKeysTests {
    /// Where keys may be kept; `again` is as another instance finds it.
    enum Kind: String, CaseIterable, CustomTestStringConvertible {
        case vault, database
        var testDescription: String { rawValue }

        func place(in folder: PrivateFolder) async throws -> KeyRingPlace {
            switch self {
            case .vault:
                let key = SecretKey(copying: [UInt8](repeating: 3, count: 32))
                return .vault(
                    try FileVault.openOrCreate(
                        at: folder.path + "/keys.vault", with: RawKeyUnlock(key)),
                    service: "api.example")
            case .database:
                let database = try await SQLiteAccounts.open(at: folder.path + "/accounts.db")
                return .database(database, secret: try .test())
            }
        }
    }

    private static let start = 1_800_000_000.0

    private func clock() -> ManualClock {
        ManualClock(secondsSince1970: Self.start)
    }

    @Test("Instances that start at once share one key", arguments: Kind.allCases)
    func starts(_ kind: Kind) async throws {
        let folder = try PrivateFolder()
        let place = try await kind.place(in: folder)
        let rings = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    try await SigningKeys.open(in: place, clock: .still).ring.currentKeyID
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(rings.count == 1)
        let later = try await SigningKeys.open(in: kind.place(in: folder), clock: .still)
        #expect(rings.contains(later.ring.currentKeyID))
    }

    @Test(
        "The next key is published before it signs, and an earlier one still verifies",
        arguments: Kind.allCases)
    func schedule(_ kind: Kind) async throws {
        let folder = try PrivateFolder()
        defer { withExtendedLifetime(folder) {} }
        let clock = clock()
        let schedule = try KeySchedule(
            rotation: .seconds(86_400), publishedAhead: .seconds(3_600),
            tokenLifetime: .seconds(3600))
        let place = try await kind.place(in: folder)
        func open() async throws -> SigningKeys {
            try await .open(in: place, schedule: schedule, clock: clock.source)
        }
        let (one, two) = (try await open(), try await open())
        let first = one.ring.currentKeyID
        clock.advance(by: .seconds(86_400 - 3_600 - 1))
        #expect(try await one.refresh().members.count == 1)
        clock.advance(by: .seconds(1))
        let published = try await two.refresh()
        #expect(published.members.count == 2 && published.currentKeyID == first)
        #expect(try await one.refresh().members == published.members)
        clock.advance(by: .seconds(3_599))
        #expect(try await one.refresh().currentKeyID == first)
        clock.advance(by: .seconds(1))
        // The other one signs with the first key until it reads again; both verify with both.
        let next = try await one.refresh()
        #expect(next.currentKeyID == published.members.last?.keyID)
        #expect(two.ring.currentKeyID == first)
        let issue = { (ring: SessionKeyRing) in
            try SessionTokenIssuer(
                issuer: "https://api.example", audience: "session", keys: ring,
                lifetime: .seconds(3600), clock: clock.source)
        }
        let (ones, twos) = (try issue(next), try issue(two.ring))
        _ = try ones.verify(try twos.issue(subject: "ada").token)
        _ = try twos.verify(try ones.issue(subject: "ada").token)
        // Its tokens have ended, and with them the first key.
        let until = try #require(next.members.last?.verifiesUntil)
        #expect(until == NumericDate(secondsSince1970: Self.start + 86_400 + 7_200))
        clock.advance(by: .seconds(2 * 86_400))
        _ = try await one.refresh()
        clock.advance(by: .seconds(3_600))
        let third = try await two.refresh()
        #expect(third.members.map(\.keyID).contains(first) == false)
        #expect(third.members.count == 2)
    }

    @Test("A compromised key is removed at once", arguments: Kind.allCases)
    func replaced(_ kind: Kind) async throws {
        let folder = try PrivateFolder()
        defer { withExtendedLifetime(folder) {} }
        let place = try await kind.place(in: folder)
        let keys = try await SigningKeys.open(in: place, clock: .still)
        let first = keys.ring.currentKeyID
        let ring = try await keys.replaceAll()
        #expect(ring.members.count == 1 && ring.currentKeyID != first)
        #expect(try await SigningKeys.open(in: place, clock: .still).ring.members == ring.members)
    }

    @Test("A late answer does not bring back a removed key")
    func lateAnswer() async throws {
        let folder = try PrivateFolder()
        let database = LateDatabase(try await SQLiteAccounts.open(at: folder.path + "/accounts.db"))
        let keys = try await SigningKeys.open(
            in: .database(database, secret: try .test()), clock: .still)
        let stolen = keys.ring.currentKeyID
        database.holdNext()
        let late = Task { try await keys.refresh() }
        while !database.isHolding { await Task.yield() }
        let replaced = try await keys.replaceAll()
        database.release()
        #expect(try await late.value.members == replaced.members)
        #expect(keys.ring.currentKeyID != stolen && keys.ring.members == replaced.members)
    }

    @Test("Keys that cannot be read are never replaced")
    func damaged() async throws {
        let folder = try PrivateFolder()
        let database = try await SQLiteAccounts.open(at: folder.path + "/accounts.db")
        let place = KeyRingPlace.database(database, secret: try .test())
        let keys = try await SigningKeys.open(in: place, clock: .still)
        let before = try await database.run("SELECT sealed FROM signet_signing_keys")
        let other = KeyRingPlace.database(database, secret: try .test(2))
        await #expect(throws: AccountError(.corrupt, "")) {
            try await SigningKeys.open(in: other, clock: .still)
        }
        // It is sealed under its name: another document does not open.
        _ = try await SigningKeys.open(
            in: .database(database, secret: try .test(), name: "admin"), clock: .still)
        try await database.run(
            """
            UPDATE signet_signing_keys SET sealed =
                (SELECT sealed FROM signet_signing_keys WHERE name = 'admin')
            WHERE name = 'sessions'
            """)
        await #expect(throws: AccountError(.corrupt, "")) { try await keys.refresh() }
        try await database.run("UPDATE signet_signing_keys SET sealed = NULL")
        await #expect(throws: AccountError(.corrupt, "")) { try await keys.refresh() }
        #expect(keys.ring.members.count == 1)
        #expect(try before.first?.bytes(0).count ?? 0 > 200)
        // What is sealed shows nothing of the key.
        #expect(
            try before.first.map { String(decoding: try $0.bytes(0), as: UTF8.self) }?
                .utf8.contains(sequence: Array("P-256".utf8)) == false)
    }

    @Test("Rotation at the shortest interval never fills the ring")
    func often() async throws {
        let folder = try PrivateFolder()
        defer { withExtendedLifetime(folder) {} }
        let (clock, place) = (clock(), try await Kind.database.place(in: folder))
        let schedule = try KeySchedule(rotation: .seconds(86_520))
        let keys = try await SigningKeys.open(
            in: place, schedule: schedule, clock: clock.source)
        var (most, signing) = (0, Set<String>())
        for _ in 0..<(24 * 70) {
            clock.advance(by: .seconds(3_600))
            let ring = try await keys.refresh()
            most = max(most, ring.members.count)
            signing.insert(ring.currentKeyID)
        }
        #expect(signing.count > 60 && (28...32).contains(most), "\(signing.count), \(most)")
        _ = try await SigningKeys.open(in: place, schedule: schedule, clock: clock.source)
    }

    @Test(
        "A clock that was far ahead once does not end the rotation",
        arguments: [60, 86_400 - 3_600 + 60])
    func clockFarAhead(_ seconds: Int) async throws {
        let folder = try PrivateFolder()
        defer { withExtendedLifetime(folder) {} }
        let (clock, place) = (clock(), try await Kind.database.place(in: folder))
        let right = clock.now
        clock.advance(by: .seconds(10 * 365 * 86_400))
        let schedule = try KeySchedule(
            rotation: .seconds(86_400), publishedAhead: .seconds(3_600),
            tokenLifetime: .seconds(3600))
        let keys = try await SigningKeys.open(in: place, schedule: schedule, clock: clock.source)
        let first = keys.ring.currentKeyID
        // A first key has begun to sign, or a next one is published as well.
        clock.advance(by: .seconds(seconds))
        let count = try await keys.refresh().members.count
        #expect(count == (seconds == 60 ? 1 : 2))
        clock.now = right
        // Clocks differ by a little: that publishes nothing anew, and the full time ahead is kept.
        let published = try await keys.refresh()
        #expect(published.members.count == 2 && published.currentKeyID == first)
        clock.advance(by: .seconds(3_599))
        #expect(try await keys.refresh().members == published.members)
        clock.advance(by: .seconds(1))
        #expect(try await keys.refresh().currentKeyID == published.members.last?.keyID)
        clock.advance(by: .seconds(86_400 - 3_601))
        #expect(
            try await keys.refresh().members.contains { $0.keyID != first && !$0.isCurrent }
                == false)
        clock.advance(by: .seconds(1))
        #expect(try await keys.refresh().members.contains { $0.keyID != first && !$0.isCurrent })
    }

    @Test("Clocks that differ by less than an hour change nothing")
    func clocksDiffer() async throws {
        let folder = try PrivateFolder()
        defer { withExtendedLifetime(folder) {} }
        let (clock, place) = (clock(), try await Kind.database.place(in: folder))
        let schedule = try KeySchedule(rotation: .seconds(86_400), tokenLifetime: .seconds(3600))
        let slow = TimeSource(
            now: { NumericDate(secondsSince1970: clock.now.secondsSince1970 - 3_590) },
            elapsed: clock.source.elapsed, sleep: { _ in })
        let ahead = try await SigningKeys.open(in: place, schedule: schedule, clock: clock.source)
        let behind = try await SigningKeys.open(in: place, schedule: schedule, clock: slow)
        #expect(try await behind.refresh().members.count == 1)
        clock.advance(by: .seconds(86_400 - 3_600))
        let published = try await ahead.refresh()
        #expect(published.members.count == 2)
        #expect(try await behind.refresh().members == published.members)
        clock.advance(by: .seconds(3_599))
        #expect(try await behind.refresh().members == published.members)
        #expect(try await ahead.refresh().members == published.members)
        clock.advance(by: .seconds(1))
        #expect(try await ahead.refresh().currentKeyID != published.currentKeyID)
    }

    @Test(
        "Tokens pass between instances whose clocks differ by the leeway, and not by more",
        arguments: [30, 300])
    func leeway(_ seconds: Int) async throws {
        let folder = try PrivateFolder()
        defer { withExtendedLifetime(folder) {} }
        let (clock, place) = (clock(), try await Kind.database.place(in: folder))
        let schedule = try KeySchedule(rotation: .seconds(86_400), tokenLifetime: .seconds(3600))
        let lag = Locked(Double(seconds))
        let slow = TimeSource(
            now: {
                NumericDate(secondsSince1970: clock.now.secondsSince1970 - lag.withLock { $0 })
            },
            elapsed: clock.source.elapsed, sleep: { _ in })
        let ahead = try await SigningKeys.open(in: place, schedule: schedule, clock: clock.source)
        let behind = try await SigningKeys.open(in: place, schedule: schedule, clock: slow)
        func issuer(_ keys: SigningKeys, _ clock: TimeSource) async throws -> SessionTokenIssuer {
            let ring = try await keys.refresh()
            guard seconds != 30 else {
                return try SessionTokenIssuer(
                    issuer: "https://api.example", audience: "session", keys: ring,
                    lifetime: .seconds(3600), clock: clock)
            }
            return try SessionTokenIssuer(
                issuer: "https://api.example", audience: "session", keys: ring,
                lifetime: .seconds(3600),
                leeway: .seconds(seconds), clock: clock)
        }
        // From minute to minute, as the instances refresh, until a second key signs.
        let first = ahead.ring.currentKeyID
        for minute in 0...(24 * 60 + 10) {
            clock.advance(by: .seconds(60))
            _ = try await (minute.isMultiple(of: 2) ? ahead : behind).refresh()
            guard minute.isMultiple(of: 60) || minute > 24 * 60 - 10 else { continue }
            let (fast, other) = (
                try await issuer(ahead, clock.source), try await issuer(behind, slow)
            )
            _ = try fast.verify(other.issue(subject: "ada").token)
            _ = try other.verify(fast.issue(subject: "ada").token)
        }
        #expect(behind.ring.currentKeyID != first)
        let (fast, other) = (try await issuer(ahead, clock.source), try await issuer(behind, slow))
        lag.withLock { $0 += 1 }
        let token = try fast.issue(subject: "ada").token
        _ = try fast.verify(other.issue(subject: "ada").token)
        #expect(throws: TokenError(.notYetValid, claim: "nbf", "")) { try other.verify(token) }
        clock.advance(by: .seconds(1))
        _ = try other.verify(token)
    }

    @Test("A ring full of keys from a wrong clock still gets its next key")
    func fullRing() async throws {
        let folder = try PrivateFolder()
        defer { withExtendedLifetime(folder) {} }
        let (clock, place) = (clock(), try await Kind.database.place(in: folder))
        let right = clock.now
        clock.advance(by: .seconds(10 * 365 * 86_400))
        let long = try KeySchedule(rotation: .seconds(86_520))
        let keys = try await SigningKeys.open(in: place, schedule: long, clock: clock.source)
        for _ in 0..<(24 * 40) {
            clock.advance(by: .seconds(3_600))
            _ = try await keys.refresh()
        }
        #expect(keys.ring.members.count > 28)
        clock.now = right
        var signing: [String] = []
        for _ in 0..<(24 * 8) {
            clock.advance(by: .seconds(3_600))
            let ring = try await keys.refresh()
            if signing.last != ring.currentKeyID { signing.append(ring.currentKeyID) }
        }
        #expect(signing.count >= 8, "\(signing.count)")
        // Those of the last days verify, as they must.
        let names = keys.ring.members.map(\.keyID)
        #expect(signing.dropFirst().allSatisfy(names.contains))
    }

    @Test("A ring that a shorter schedule fills waits for room, and the server starts")
    func shorterSchedule() async throws {
        let folder = try PrivateFolder()
        defer { withExtendedLifetime(folder) {} }
        let (clock, place) = (clock(), try await Kind.database.place(in: folder))
        let long = try KeySchedule(rotation: .seconds(86_520))
        let keys = try await SigningKeys.open(in: place, schedule: long, clock: clock.source)
        for _ in 0..<(24 * 40) {
            clock.advance(by: .seconds(3_600))
            _ = try await keys.refresh()
        }
        let short = try KeySchedule(
            rotation: .seconds(3_600), publishedAhead: .seconds(60),
            tokenLifetime: .seconds(43_200))
        var (names, signing) = (keys.ring.members, Set<String>())
        for _ in 0..<(24 * 40) {
            clock.advance(by: .seconds(3_600))
            let ring = try await SigningKeys.open(
                in: place, schedule: short, clock: clock.source
            ).ring
            signing.insert(ring.currentKeyID)
            // No token is refused before its time.
            let now = clock.now
            let lost = names.filter { $0.verifiesUntil.map { $0 > now } ?? false }
                .filter { one in !ring.members.contains { $0.keyID == one.keyID } }
            #expect(lost.isEmpty)
            names = ring.members
        }
        // Once the long ones are over, it has its pace.
        #expect(signing.count > 24 * 10, "\(signing.count)")
    }

    @Test(
        "Schedules that cannot be kept",
        arguments: [
            (3_599, 60), (86_400, 59), (86_400, 86_400), (401 * 86_400, 60), (86_400, 3_600),
            (3_600, 60),
        ])
    func schedules(_ rotation: Int, _ ahead: Int) {
        #expect(throws: AccountError(.invalidParameter, "")) {
            try KeySchedule(rotation: .seconds(rotation), publishedAhead: .seconds(ahead))
        }
    }
}

extension Collection where Element: Equatable {
    fileprivate func contains(sequence: [Element]) -> Bool {
        indices.contains { self[$0...].starts(with: sequence) }
    }
}
