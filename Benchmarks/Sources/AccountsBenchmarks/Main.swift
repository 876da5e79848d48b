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
            var rows: [[String]] = []
            let path = arguments[1] + "/accounts.db"
            let sqlite = try await SQLiteAccounts.open(at: path)
            rows += try await measure("SQLite", sqlite) { number in
                unsafe raw_sqlite_rotations(path, number, Int32(count))
            }
            if arguments.count == 4 {
                let (connection, schema) = (arguments[2], arguments[3])
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
                    rows))
        } catch {
            Figures.progress("The benchmark failed: \(error)")
            exit(1)
        }
    }

    private static func measure(
        _ name: String, _ database: any AccountDatabase,
        _ raw: @escaping @Sendable (Int32) -> Int64
    ) async throws -> [[String]] {
        let tokens = try RefreshTokens(
            database: database,
            issuer: SessionTokenIssuer(
                issuer: "https://api.example", audience: "session",
                keys: SessionKeyRing(SigningKey.generate(.es256)), lifetime: .oneHour))
        try await database.transaction { (transaction) throws(AccountError) -> Void in
            try await AccountUsers.add("user", in: transaction)
        }
        var rows: [[String]] = []
        for lanes in [1, parallel] {
            var (ours, floors): ([Double], [Double]) = ([], [])
            for round in 0..<rounds {
                // In turns, so that what else the machine does falls on both.
                ours.append(try await rotations(tokens, lanes))
                floors.append(try floor(raw, lanes, round))
            }
            // What else the machine does makes times longer, never shorter.
            let (one, other) = (ours.min() ?? 0, floors.min() ?? 1)
            rows.append([
                "\(name), \(lanes) at a time", Figures.time(one), Figures.time(other),
                Figures.ratio(one / other), Figures.ratio(median(ours) / median(floors)),
                String(format: "%.0f", 1e9 / one),
            ])
        }
        return rows
    }

    /// Nanoseconds for a rotation, of so many sessions at once.
    private static func rotations(_ tokens: RefreshTokens, _ lanes: Int) async throws -> Double {
        var first: [String] = []
        for _ in 0..<lanes { first.append(try await tokens.begin(for: "user").refreshToken) }
        let start = ContinuousClock.now
        try await withThrowingTaskGroup { group in
            for token in first {
                group.addTask {
                    var token = token
                    for _ in 0..<count { token = try await tokens.rotate(token).refreshToken }
                }
            }
            try await group.waitForAll()
        }
        return (ContinuousClock.now - start).nanoseconds / Double(count * lanes)
    }

    private static func floor(
        _ raw: @escaping @Sendable (Int32) -> Int64, _ lanes: Int, _ round: Int
    ) throws -> Double {
        let longest = Longest()
        DispatchQueue.concurrentPerform(iterations: lanes) { lane in
            longest.add(raw(Int32(lanes * 10_000 + round * 100 + lane)))
        }
        guard let time = longest.value else { throw Failure(what: "the statements alone") }
        return Double(time) / Double(count * lanes)
    }

    private struct Failure: Error { let what: String }
}
