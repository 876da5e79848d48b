// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetBase

extension AccountCheck {
    static let logouts = [
        AccountCheck("of many claims of one logout at once one runs its work") { scope in
            for round in 0..<4 {
                let runs = Locked(0)
                let name = "\(scope.name)-\(round)"
                let answers = try await runAtOnce(16) { number -> Bool? in
                    try await LogoutReplayTable(scope.database(number)).claim(
                        name, forSeconds: 60
                    ) {
                        runs.withLock { $0 += 1 }
                        // The remaining claims arrive meanwhile.
                        for _ in 0..<20 { await Task.yield() }
                    }
                }
                try scope.expect(runs.withLock { $0 }, is: 1, named: "the count of runs")
                try scope.expect(answers.count(where: \.self), is: 1, named: "the count of winners")
                try scope.expect(answers.count, is: 16, named: "the count of answers")
            }
            for round in 0..<4 {
                try await scope.run(remove, values: [.text("\(scope.name)-\(round)")])
            }
        },
        AccountCheck("a logout whose work failed can be claimed again, one that is over too") {
            scope in
            let table = LogoutReplayTable(scope.database)
            let name = scope.name
            try await scope.expect(.cancelled, by: "work that fails") {
                try await table.claim(name, forSeconds: 60) {
                    throw AccountError(.cancelled, "It failed.")
                }
            }
            let first = try await table.claim(name, forSeconds: 60) {}
            try scope.expect(first, is: true, named: "the claim after a failure")
            let second = try await LogoutReplayTable(scope.other).claim(name, forSeconds: 60) {}
            try scope.expect(second, is: false, named: "the second claim")
            try await scope.run(endNow, values: [.text(name)])
            let third = try await table.claim(name, forSeconds: 60) {}
            try scope.expect(third, is: true, named: "the claim of a name whose time is over")
            // The claim of a clock that was a year ahead.
            try await scope.run(endInAYear, values: [.text(name)])
            let fourth = try await table.claim(name, forSeconds: 60) {}
            try scope.expect(fourth, is: true, named: "the claim after a clock was set back")
            try await scope.run(remove, values: [.text(name)])
        },
        AccountCheck("a logout that comes again while its work fails ends by that copy") { scope in
            let name = scope.name
            let copy = Locked(Task<Bool, any Error>?.none)
            try await scope.expect(.cancelled, by: "work that fails") {
                try await LogoutReplayTable(scope.database).claim(name, forSeconds: 60) {
                    let task = Task {
                        try await LogoutReplayTable(scope.other).claim(name, forSeconds: 60) {}
                    }
                    copy.withLock { $0 = task }
                    try await Task.sleep(for: .milliseconds(300))
                    throw AccountError(.cancelled, "It failed.")
                }
            }
            let isDone = try await copy.withLock { $0 }?.value
            try scope.expect(isDone, is: true, named: "the copy that came meanwhile")
            let third = try await LogoutReplayTable(scope.database).claim(name, forSeconds: 60) {}
            try scope.expect(third, is: false, named: "the claim of a logout that is done")
            try await scope.run(remove, values: [.text(name)])
        },
        AccountCheck("a server that dies while a logout ends holds it for a minute only") { scope in
            let name = scope.name
            let database = scope.database
            _ = try await LogoutReplayTable(database).claim(name, forSeconds: 86_400) {
                let rows = try await scope.run(remainingTime, values: [.text(name)])
                let milliseconds = try remainingMilliseconds(in: rows)
                try scope.expect(
                    (1...60_000).contains(milliseconds),
                    "it is held for \(milliseconds) ms instead of 1 to 60,000 ms")
            }
            let rows = try await scope.run(remainingTime, values: [.text(name)])
            let milliseconds = try remainingMilliseconds(in: rows)
            // A day, less the time that this check has taken.
            try scope.expect(
                milliseconds > 86_000_000,
                "it is kept for \(milliseconds) ms instead of over 86,000,000 ms")
            try await scope.run(remove, values: [.text(name)])
        },
        AccountCheck("a logout whose work took more than its minute stays claimed") { scope in
            let name = scope.name
            let table = LogoutReplayTable(scope.database)
            let first = try await table.claim(name, forSeconds: 60) {
                try await scope.run(endNow, values: [.text(name)])
                // Another logout, which removes rows that are over.
                _ = try await table.claim(name + "-2", forSeconds: 60) {}
            }
            try scope.expect(first, is: true, named: "the claim whose work was slow")
            let second = try await table.claim(name, forSeconds: 60) {}
            try scope.expect(second, is: false, named: "the claim of a logout that is over")
            for left in [name, name + "-2"] { try await scope.run(remove, values: [.text(left)]) }
        },
    ]

    private static let endNow: SQLStatement =
        "UPDATE signet_logouts SET ends_at = {now} WHERE name = $1"
    private static let endInAYear: SQLStatement =
        "UPDATE signet_logouts SET ends_at = {now} + 31536000000 WHERE name = $1"
    private static let remainingTime: SQLStatement =
        "SELECT ends_at - {now} FROM signet_logouts WHERE name = $1"
    private static let remove: SQLStatement = "DELETE FROM signet_logouts WHERE name = $1"

    private static func remainingMilliseconds(in rows: [SQLRow]) throws -> Int64 {
        guard let row = rows.first else { throw AccountFinding(message: "its row is missing") }
        return try row.integer(0)
    }
}
