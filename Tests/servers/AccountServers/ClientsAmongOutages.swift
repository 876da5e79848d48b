// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetAccounts
import SignetBase
import SignetCrypto
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

/// Clients that refresh again and again and lose every second answer or so, while their database is
/// away for a while of real time: no session may end.
package struct ClientsAmongOutages {
    private struct Told {
        var (answers, lost, failures, late, reused) = (0, 0, 0, 0, 0)
        /// Codes of errors after which a client must sign in again.
        var ended: [AccountError.Code] = []
    }

    /// For each client, how often it heard an answer.
    private let rounds: Locked<[Int]>
    private let told = Locked(Told())
    private let isOver = Locked(false)
    private let database: any AccountDatabase
    private let tokens: RefreshTokens

    package init(_ database: any AccountDatabase, clients: Int) throws {
        let (key, told) = (
            try HMACKey(
                secret: SecretKey(copying: [UInt8](repeating: 7, count: 32)), algorithm: .hs256,
                keyID: "test"), told
        )
        var options = RefreshTokenOptions()
        options.onEvent = { event in
            told.withLock { told in
                switch event {
                case .lateRetry: told.late += 1
                case .reused: told.reused += 1
                }
            }
        }
        self.database = database
        rounds = Locked(Array(repeating: 0, count: clients))
        tokens = try RefreshTokens(
            database: database,
            issuer: SessionTokenIssuer(
                issuer: "https://api.example", audience: "session", keys: SessionKeyRing(key),
                lifetime: .seconds(3600), clock: .still), options: options)
    }

    /// - Parameters:
    ///   - name: for the printed figures.
    ///   - outages: how long the database is away, one time after the other.
    ///   - away: takes it away for so long.
    package func check(
        _ name: String, outages: [Duration], away: (Duration) async throws -> Void
    ) async throws {
        try await database.transaction { (transaction) throws(AccountError) -> Void in
            try await AccountUsers.add("user", in: transaction)
        }
        var first: [String] = []
        for _ in 0..<rounds.withLock({ $0.count }) {
            first.append(try await tokens.begin(for: "user").refreshToken)
        }
        try await withThrowingTaskGroup { group in
            for (client, token) in first.enumerated() {
                group.addTask { await refresh(client, token) }
            }
            do {
                try await answered()
                for outage in outages {
                    try await away(outage)
                    try await answered()
                }
            } catch {
                isOver.withLock { $0 = true }
                throw error
            }
            isOver.withLock { $0 = true }
            try await group.waitForAll()
        }
        let told = told.withLock { $0 }
        print(
            "\(name): \(first.count) clients, outages of \(outages), \(told.answers) answers heard, "
                + "\(told.lost) lost, \(told.failures) refused meanwhile, \(told.late) late "
                + "retries, \(told.ended.count) sessions ended")
        #expect(told.ended.isEmpty && told.reused == 0)
        let left = try await tokens.sessions(of: "user").count
        #expect(left == first.count)
    }

    /// Until each client heard two more answers, or its session has ended.
    private func answered() async throws {
        let before = rounds.withLock { $0 }
        while !rounds.withLock({ now in
            zip(before, now).allSatisfy { $1 >= $0 + 2 }
        }) {
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private func refresh(_ client: Int, _ first: String) async {
        var token = first
        while !isOver.withLock({ $0 }) {
            do throws(AccountError) {
                let next = try await tokens.rotate(token).refreshToken
                let isLost = Bool.random()
                told.withLock { told in
                    if isLost { told.lost += 1 } else { told.answers += 1 }
                }
                if !isLost {
                    token = next
                    rounds.withLock { $0[client] += 1 }
                }
            } catch {
                guard error.code == .unavailable || error.code == .outcomeUnknown else {
                    told.withLock { $0.ended.append(error.code) }
                    // It is not waited for.
                    rounds.withLock { $0[client] = .max / 2 }
                    return
                }
                told.withLock { $0.failures += 1 }
            }
            try? await Task.sleep(for: .milliseconds(Int.random(in: 500...1_500)))
        }
    }
}
