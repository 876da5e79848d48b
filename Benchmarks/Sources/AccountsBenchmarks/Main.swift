// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import CRawAccounts
import Foundation
import SignetAccounts
import SignetIdentity
import SignetJOSE
import SignetPostgres

/// What a rotation of a refresh token costs beside the transaction of its statements alone.
///
///     accounts-benchmarks FOLDER [CONNECTION SCHEMA]
@main struct AccountsBenchmarks {
    private static let rounds = 7
    private static let count = 200
    private static let parallel = 8

    static func main() async {
        do {
            let arguments = CommandLine.arguments
            guard arguments.count == 2 || arguments.count == 4 else {
                throw Failure(what: "usage: accounts-benchmarks FOLDER [CONNECTION SCHEMA]")
            }
            var rows: [Row] = []
            let path = arguments[1] + "/accounts.db"
            let sqlite = try await SQLiteAccounts.open(at: path)
            rows += try await measure("SQLite", sqlite) { number in
                unsafe raw_sqlite_rotations(path, number, Int32(count))
            }
            if arguments.count == 4 {
                let connection = arguments[2]
                let schema = arguments[3]
                var configuration = try PostgresConfiguration(connection)
                configuration.schema = schema
                let postgres = try await PostgresAccounts.open(configuration)
                rows += try await measure("PostgreSQL", postgres) { number in
                    unsafe raw_postgres_rotations(connection, schema, number, Int32(count))
                }
            }
            print("\(Environment.line())\n")
            print(
                Figures.table(
                    ["", "Signet", "Statements alone", "Ratio", "Of medians", "Signet, a second"],
                    rows.map(\.taken)))
            print("\nThis process alone, for a rotation, medians:\n")
            print(
                Figures.table(
                    [
                        "", "Signet, processor time", "Statements alone", "Ratio",
                        "Signet, waits of a thread", "Statements alone",
                    ], rows.map(\.spent)))
        } catch {
            Figures.progress("The benchmark failed: \(error)")
            exit(1)
        }
    }

    private static func measure(
        _ name: String, _ database: any AccountDatabase,
        _ raw: @escaping @Sendable (Int32) -> Int64
    ) async throws -> [Row] {
        let tokens = try RefreshTokens(
            database: database,
            issuer: SessionTokenIssuer(
                issuer: "https://api.example", audience: "session",
                keys: SessionKeyRing(SigningKey.generate(.es256)), lifetime: .seconds(3600)))
        try await database.transaction { (transaction) throws(AccountError) in
            try await AccountUsers.add("user", in: transaction)
        }
        var rows: [Row] = []
        for workerCount in [1, parallel] {
            var (ours, floors): ([Cost], [Cost]) = ([], [])
            for round in 0..<rounds {
                // In turns, so that what else the machine does falls on both.
                ours.append(try await rotations(tokens, workerCount))
                floors.append(try await floor(raw, workerCount, round))
            }
            rows.append(Row("\(name), \(workerCount) at a time", ours, floors))
        }
        return rows
    }

    /// A rotation, of so many sessions at once.
    private static func rotations(_ tokens: RefreshTokens, _ workerCount: Int) async throws -> Cost
    {
        var first: [String] = []
        for _ in 0..<workerCount { first.append(try await tokens.begin(for: "user").refreshToken) }
        let start = Reading.now
        try await withThrowingTaskGroup { group in
            for token in first {
                group.addTask {
                    var token = token
                    for _ in 0..<count { token = try await tokens.rotate(token).refreshToken }
                }
            }
            try await group.waitForAll()
        }
        return start.cost(of: count * workerCount)
    }

    private static func floor(
        _ raw: @escaping @Sendable (Int32) -> Int64, _ workerCount: Int, _ round: Int
    ) async throws -> Cost {
        let longest = Longest()
        let start = Reading.now
        let group = DispatchGroup()
        for worker in 0..<workerCount {
            group.enter()
            Thread {
                longest.add(raw(Int32(workerCount * 10_000 + round * 100 + worker)))
                group.leave()
            }.start()
        }
        await withCheckedContinuation { continuation in
            group.notify(queue: .global()) { continuation.resume() }
        }
        guard let time = longest.value else { throw Failure(what: "the statements alone") }
        // One at a time is measured inside; of several, all of them together, each on a thread.
        var cost = start.cost(of: count * workerCount)
        if workerCount == 1 { cost.nanoseconds = Double(time) / Double(count) }
        return cost
    }

    private struct Failure: Error { let what: String }
}
