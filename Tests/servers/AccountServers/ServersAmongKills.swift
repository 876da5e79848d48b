// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
package import TestSupport
import Testing

/// Four processes on one database, killed (SIGKILL) at random moments: what they said is held
/// against what the database promises.
package struct ServersAmongKills {
    private let place: AccountPlace
    private let folder: PrivateFolder
    private let clients = 6

    package init(_ place: AccountPlace, in folder: PrivateFolder) {
        self.place = place
        self.folder = folder
    }

    /// - Parameters:
    ///   - name: for the printed figures.
    ///   - exchanges: how many exchanges of tokens and tries of codes are to be heard of.
    package func check(
        _ name: String, kills: Int, exchanges: Int,
        hazard: @Sendable (Double) async throws -> Void = { _ in }
    ) async throws {
        let database = try await place.open()
        let tokens = try ServerWork(place, database, folder: folder.path, clients: clients).tokens
        try await database.transaction { (transaction) throws(AccountError) -> Void in
            try await AccountUsers.add("user", in: transaction)
        }
        for client in 0..<clients {
            let token = try await tokens.begin(for: "user").refreshToken
            try Data(token.utf8).write(to: file(client), options: .atomic)
        }
        let told = try await KilledServers(place, folder: folder.path, clients: clients)
            .play(servers: 4, kills: kills, exchanges: exchanges, hazard: hazard)
        #expect(told.errors.isEmpty, "\(told.errors.prefix(3))")
        print(
            "\(name): \(told.kills) killed, \(told.rotations.count) exchanges of tokens heard, "
                + "\(told.used.count) codes right, \(told.unused) not, \(told.taken.count) limits "
                + "took \(told.taken.values.reduce(0, +)) and refused \(told.limited), "
                + "\(told.begun.count) sessions begun, \(told.ended.count) ended, "
                + "\(told.later) told to ask again")

        #expect(told.used.values.allSatisfy { $0 == 1 }, "a code was right twice")
        #expect(!told.used.isEmpty)
        #expect(
            told.taken.values.allSatisfy { $0 <= ServerWork.limited.burst },
            "a limit was exceeded: \(told.taken)")
        try await checkSessions(told, database, tokens)
    }

    private func file(_ client: Int) -> URL {
        URL(fileURLWithPath: "\(folder.path)/token-\(client)")
    }

    private func checkSessions(
        _ told: KilledServers.Told, _ database: any AccountDatabase, _ tokens: RefreshTokens
    ) async throws {
        // Everyone who brought a token got the same successor for it.
        var successors: [String: String] = [:]
        for (_, token, next) in told.rotations {
            #expect(successors[token] ?? next == next, "a token was exchanged for two others")
            successors[token] = next
        }

        // The last acknowledged token works: all retries are within the grace, however long this
        // took.
        try await run("UPDATE signet_used_refresh_tokens SET used_at = {now}", database)
        for client in 0..<clients {
            var token = try String(contentsOf: file(client), encoding: .utf8)
            while let next = successors[token] { token = next }
            _ = try await tokens.rotate(token)
        }
        for (session, token) in told.begun {
            if told.ended.contains(session) {
                await #expect(throws: AccountError(.invalidGrant, "")) {
                    try await tokens.rotate(token)
                }
            } else if !told.ending.contains(session) {
                _ = try await tokens.rotate(token)
            }
        }

        // After the grace no token works a second time: the first of each family ends it.
        try await run("UPDATE signet_used_refresh_tokens SET used_at = used_at - 60000", database)
        var seen: Set<Int> = []
        for (client, token, next) in told.rotations {
            let code: AccountError.Code =
                seen.insert(client).inserted ? .refreshTokenReused : .invalidGrant
            await #expect(throws: AccountError(code, "")) { try await tokens.rotate(token) }
            await #expect(throws: AccountError(.invalidGrant, "")) { try await tokens.rotate(next) }
        }
    }

    private func run(_ statement: SQLStatement, _ database: any AccountDatabase) async throws {
        try await database.transaction { (transaction) throws(AccountError) -> Void in
            try await transaction.run(statement, values: [])
        }
    }
}
