// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

extension AccountCheck {
    private static let win: SQLStatement = """
        UPDATE signet_check_rows SET number = $3 WHERE scope = $1 AND name = $2 AND number = 0
        RETURNING number
        """
    private static let count: SQLStatement = """
        UPDATE signet_check_rows SET number = number + 1 WHERE scope = $1 AND name = $2
        RETURNING number
        """
    private static let countOrAdd: SQLStatement = """
        INSERT INTO signet_check_rows (scope, name, number) VALUES ($1, $2, 1)
        ON CONFLICT (scope, name) DO UPDATE SET number = signet_check_rows.number + 1
        RETURNING number
        """

    static let races = [
        AccountCheck("of many conditional updates at once one finds its row") { desk in
            for round in 0..<5 {
                let row = "row \(round)"
                try await desk.add(row)
                let winners = try await answers(32) { number in
                    try await desk.run(
                        win, values: [.text(desk.name), .text(row), .integer(Int64(number) + 1)],
                        on: number
                    ).first
                }
                try desk.expect(winners.count, is: 1, named: "the count of winners")
                let winner = try winners.first?.integer(0)
                try desk.expect(try await desk.number(in: row), is: winner, named: "the row")
            }
        },
        AccountCheck("of many increments at once none is lost, and none is seen twice") { desk in
            try await desk.add("counted")
            for (statement, row) in [(count, "counted"), (countOrAdd, "not there")] {
                let counts = try await answers(40) { number in
                    try await desk.run(
                        statement, values: [.text(desk.name), .text(row)], on: number
                    ).first?.integer(0)
                }
                try desk.expect(counts.sorted(), is: Array(1...40), named: "what was counted")
            }
        },
        AccountCheck("of many rows of one name one is added") { desk in
            let added = try await answers(16) { number -> Int? in
                do throws(AccountError) {
                    try await desk.run(
                        CheckDesk.insert,
                        values: [.text(desk.name), .text("one"), .integer(Int64(number))],
                        on: number)
                    return number
                } catch {
                    guard error.code == .conflict else { throw error }
                    return nil
                }
            }
            try desk.expect(added.count, is: 1, named: "the count of rows that were added")
            let number = try await desk.number(in: "one")
            try desk.expect(number, is: added.first.map { Int64($0) }, named: "the row")
        },
    ]

    /// Runs `body` in `count` tasks at once, and returns the answers that are not nil.
    static func answers<Answer: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Answer?
    ) async throws -> [Answer] {
        try await withThrowingTaskGroup(of: Answer?.self) { group in
            for number in 0..<count { group.addTask { try await body(number) } }
            var answers: [Answer] = []
            for try await answer in group { if let answer { answers.append(answer) } }
            return answers
        }
    }
}
