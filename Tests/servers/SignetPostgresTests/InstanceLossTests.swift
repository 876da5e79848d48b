// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import Foundation
import SignetAccounts
import SignetBase
import SignetIdentity
import SignetPostgres
import SignetSignIn
import Testing

/// What several instances share, while their connections end at random moments: to the database an
/// instance that is killed is no more than that.
@Suite(
    "Instances that lose their connections at work", .needsPostgreSQL, .serialized,
    .timeLimit(.minutes(20)))
struct InstanceLossTests {
    private static let unlucky: [AccountError.Code] = [.unavailable, .outcomeUnknown]

    /// Does `work`, while connections to a schema are ended, every few milliseconds one.
    private func amongLosses(
        _ server: PostgresServer, _ schema: String, _ work: () async throws -> Void
    ) async throws -> Int {
        let isOver = Locked(false)
        let killer = Task {
            var ended = 0
            while !isOver.withLock({ $0 }) {
                ended += try server.terminate(
                    1, where: "application_name = '\(schema)' AND state <> 'idle'")
                try await Task.sleep(for: .milliseconds(Int.random(in: 1...20)))
            }
            return ended
        }
        do { try await work() } catch {
            isOver.withLock { $0 = true }
            _ = try? await killer.value
            throw error
        }
        isOver.withLock { $0 = true }
        return try await killer.value
    }

    @Test("No key signs before every instance could know it, and no key is lost")
    func signingKeys() async throws {
        let server = try PostgresServer.shared()
        let schema = try server.schema()
        var databases: [PostgresAccounts] = []
        for _ in 0..<3 { databases.append(try await server.open(schema: schema, 2)) }
        let (clock, secret) = (ManualClock(), try AccountSecret.test())
        let schedule = try KeySchedule(
            rotation: .seconds(7_200), publishedAhead: .seconds(600), tokenLifetime: .seconds(3600))
        var instances: [SigningKeys] = []
        for database in databases {
            instances.append(
                try await SigningKeys.open(
                    in: .database(database, secret: secret), schedule: schedule,
                    clock: clock.source))
        }
        var published = Set([instances[0].ring.currentKeyID])
        var (signing, failures) = (Set<String>(), 0)
        let ended = try await amongLosses(server, schema) {
            while signing.count < 8 {
                let all = instances
                let results = await withTaskGroup(of: AccountError.Code?.self) { group in
                    for one in all + all {
                        group.addTask {
                            await accountError { () async throws(AccountError) in
                                try await one.refresh()
                            }?.code
                        }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
                failures += results.count { $0 != nil }
                #expect(results.allSatisfy { $0.map { Self.unlucky.contains($0) } ?? true })
                for ring in all.map(\.ring) {
                    #expect(published.contains(ring.currentKeyID))
                    signing.insert(ring.currentKeyID)
                }
                // What some instance has seen now may sign once the clock has gone on.
                for ring in all.map(\.ring) {
                    published.formUnion(ring.members.map(\.keyID))
                }
                // Else the key could sign before anyone has seen that it was published.
                guard results.contains(nil) else { continue }
                clock.advance(by: .seconds(200))
            }
        }
        // A refresh that no one disturbs: all have the same.
        var rings: [[SessionKeyRing.Member]] = []
        for one in instances {
            while await accountError(of: { () async throws(AccountError) in
                try await one.refresh()
            }) != nil { try await Task.sleep(for: .milliseconds(20)) }
            rings.append(one.ring.members)
        }
        #expect(rings[0] == rings[1] && rings[1] == rings[2])
        print("signing keys: \(ended) connections ended, \(failures) refreshes failed")
        for database in databases { await database.close() }
    }

    /// Counts what comes, and takes its time.
    private final class CountingSender: MessageSender {
        let sent = Locked([String: Int]())

        func send(_ message: CodeMessage) async throws(AccountError) {
            try? await Task.sleep(for: .milliseconds(2))
            sent.withLock { $0[message.id, default: 0] += 1 }
        }

        func send(_ notice: NoticeMessage) async throws(AccountError) {}
    }

    @Test("No message is lost, and only a connection lost after sending repeats one")
    func outbox() async throws {
        let server = try PostgresServer.shared()
        let schema = try server.schema()
        let (count, secret) = (200, try AccountSecret.test())
        var databases: [PostgresAccounts] = []
        for _ in 0..<3 { databases.append(try await server.open(schema: schema, 4)) }
        let codes = OneTimeCodes(databases[0], secret: secret)
        var names = Set<String>()
        for number in 0..<count {
            let phone = CodeDestination.phone(try PhoneNumber("+14155550\(100 + number)"))
            let sent = try await codes.send(to: phone, for: .signIn, from: nil)
            names.insert(try sent.challenge.messageID())
        }
        let (sender, failures) = (CountingSender(), Locked(0))
        let outboxes = try databases.map {
            try Outbox($0, secret: secret, sender: sender, concurrentSendCount: 3)
        }
        let waiting: SQLStatement = "SELECT count(*) FROM signet_outbox"
        let ended = try await amongLosses(server, schema) {
            while try server.admin(
                "SELECT 1 FROM \(schema).signet_outbox LIMIT 1", database: "accounts"
            ).count > 0 {
                await withTaskGroup { group in
                    for outbox in outboxes {
                        group.addTask {
                            let error = await accountError { () async throws(AccountError) in
                                try await outbox.deliver { _ in failures.withLock { $0 += 1 } }
                            }
                            guard let error else { return }
                            #expect(Self.unlucky.contains(error.code))
                            failures.withLock { $0 += 1 }
                        }
                    }
                }
                // The minute that a claim of an instance that is gone lasts, and no time of the test.
                try server.admin(
                    "UPDATE \(schema).signet_outbox SET due_at = 1", database: "accounts")
            }
        }
        let sent = sender.sent.withLock { $0 }
        #expect(Set(sent.keys) == names && names.count == count)
        let twice = sent.values.count { $0 > 1 }
        #expect(twice <= ended)
        print(
            "outbox: \(count) messages, \(ended) connections ended, "
                + "\(failures.withLock { $0 }) failures, \(twice) sent more than once")
        #expect(try await databases[0].run(waiting)[0].integer(0) == 0)
        for database in databases { await database.close() }
    }
}
