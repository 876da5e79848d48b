// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import Foundation
import SignetAccounts
import TestPrograms
import TestSupport
import Testing

/// A process that hands a code to a provider, killed at each of its steps; another one goes on after
/// the claim has ended.
@Suite("Messages of a killed outbox", .serialized)
struct KilledDeliveryTests {
    /// What a killed process leaves: messages that wait, and messages that the provider has taken.
    private struct Left: Hashable {
        let waiting, taken: Int
    }

    @Test(
        "A message never gets lost, and only a kill before the commit sends the same one again",
        arguments: MortalDelivery.Way.allCases)
    func everyStep(_ way: MortalDelivery.Way) async throws {
        var seen: Set<Left> = []
        for step in 1... {
            let moments = try Moments()
            let start = try await moments.after(0)
            _ = try await OneTimeCodes(start, secret: MortalDelivery.secret()).send(
                to: CodeScene.destination(), for: .signIn, from: nil)
            let file = moments.path + ".taken"
            try Data().write(to: URL(fileURLWithPath: file))
            let worker = try ChildProgram.run(
                BuiltProgram.path("account-worker"),
                ["deliver", way.rawValue, moments.path, file, "\(Moments.start)", "\(step)"])
            let left = Left(waiting: try await waiting(start), taken: try taken(file).count)
            seen.insert(left)
            #expect(left.waiting + left.taken > 0, "step \(step)")
            // Until its claim has ended, the row is nobody else's; if it was claimed.
            try await MortalDelivery(way, moments.after(60_000), file: file).run()
            let all = try taken(file)
            #expect(all.count == left.waiting + left.taken && Set(all).count == 1, "step \(step)")
            #expect(try await waiting(start) == 0)
            await moments.close()
            guard worker.end.wasKilled else {
                #expect(worker.text == "delivered\n", "\(worker.text)")
                #expect(left == Left(waiting: 0, taken: 1))
                // Dropping, claiming, sending and removing have at least so many.
                #expect(step > 12)
                break
            }
        }
        #expect(
            seen == [
                Left(waiting: 1, taken: 0), Left(waiting: 1, taken: 1), Left(waiting: 0, taken: 1),
            ])
    }

    private func waiting(_ database: any AccountDatabase) async throws -> Int {
        let rows = try await database.read { (transaction) throws(AccountError) in
            try await transaction.run("SELECT key FROM signet_outbox", values: [])
        }
        return rows.count
    }

    private func taken(_ file: String) throws -> [Substring] {
        try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    }
}
