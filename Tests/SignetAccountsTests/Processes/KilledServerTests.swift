// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
import TestSupport
import Testing

/// Four processes on one SQLite file, killed (SIGKILL) at random moments.
@Suite("Sessions among servers that are killed")
struct KilledServerTests {
    @Test(
        "no token works twice, and no session that was acknowledged is lost",
        .tags(.sessionKills, .sampled))
    func nothingIsLost() async throws {
        let folder = try PrivateFolder()
        let database = try await SQLiteAccounts.open(
            at: folder.path + "/accounts", busyTimeout: .seconds(600))
        var options = RefreshTokenOptions()
        options.grace = .seconds(60)
        let tokens = try RefreshTokens(
            database: database, issuer: SessionFixture.issuer(), options: options)
        try await database.add("user")
        let clients = 6
        for client in 0..<clients {
            let token = try await tokens.begin(for: "user").refreshToken
            try Data(token.utf8).write(
                to: URL(fileURLWithPath: "\(folder.path)/token-\(client)"), options: .atomic)
        }

        let kills = Effort.rounds(300)
        let told = try await KilledServers(folder.path, clients: clients)
            .play(servers: 4, kills: kills, rotations: kills * 4)
        #expect(told.errors.isEmpty, "\(told.errors.prefix(3))")
        print(
            "sessions among killed servers: \(told.kills) killed, \(told.rotations.count) "
                + "exchanges heard, \(told.begun.count) sessions begun, \(told.ended.count) ended")

        // All who brought a token got the same for it.
        var successors: [String: String] = [:]
        for (_, token, next) in told.rotations {
            #expect(successors[token] ?? next == next, "a token was exchanged for two others")
            successors[token] = next
        }

        // What was said last works: all retries are within the grace, however long this took.
        try await database.run("UPDATE signet_used_refresh_tokens SET used_at = {now}")
        for client in 0..<clients {
            var token = try String(
                contentsOfFile: "\(folder.path)/token-\(client)", encoding: .utf8)
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
        try await database.run("UPDATE signet_used_refresh_tokens SET used_at = used_at - 60000")
        var seen: Set<Int> = []
        for (client, token, next) in told.rotations {
            let code: AccountError.Code =
                seen.insert(client).inserted ? .refreshTokenReused : .invalidGrant
            await #expect(throws: AccountError(code, "")) { try await tokens.rotate(token) }
            await #expect(throws: AccountError(.invalidGrant, "")) { try await tokens.rotate(next) }
        }
    }
}
