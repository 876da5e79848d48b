// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

extension AccountCheck {
    private static let setIfZero: SQLStatement = """
        UPDATE signet_check_rows SET number = $3 WHERE scope = $1 AND name = $2 AND number = 0
        RETURNING number
        """
    private static let increment: SQLStatement = """
        UPDATE signet_check_rows SET number = number + 1 WHERE scope = $1 AND name = $2
        RETURNING number
        """
    private static let incrementOrAdd: SQLStatement = """
        INSERT INTO signet_check_rows (scope, name, number) VALUES ($1, $2, 1)
        ON CONFLICT (scope, name) DO UPDATE SET number = signet_check_rows.number + 1
        RETURNING number
        """

    static let races = [
        AccountCheck("of many conditional updates at once one finds its row") { scope in
            for round in 0..<5 {
                let row = "row \(round)"
                try await scope.add(row)
                let winners = try await runAtOnce(32) { number in
                    try await scope.run(
                        setIfZero,
                        values: [.text(scope.name), .text(row), .integer(Int64(number) + 1)],
                        on: number
                    ).first
                }
                try scope.expect(winners.count, is: 1, named: "the count of winners")
                let winner = try winners.first?.integer(0)
                try scope.expect(try await scope.number(in: row), is: winner, named: "the row")
            }
        },
        AccountCheck("of many increments at once none is lost, and none is seen twice") { scope in
            try await scope.add("counted")
            for (statement, row) in [(increment, "counted"), (incrementOrAdd, "not there")] {
                let counts = try await runAtOnce(40) { number in
                    try await scope.run(
                        statement, values: [.text(scope.name), .text(row)], on: number
                    ).first?.integer(0)
                }
                try scope.expect(counts.sorted(), is: Array(1...40), named: "what was counted")
            }
        },
        AccountCheck("of many rows of one name one is added") { scope in
            let added = try await runAtOnce(16) { number -> Int? in
                do throws(AccountError) {
                    try await scope.run(
                        AccountCheckScope.insert,
                        values: [.text(scope.name), .text("one"), .integer(Int64(number))],
                        on: number)
                    return number
                } catch {
                    guard error.code == .conflict else { throw error }
                    return nil
                }
            }
            try scope.expect(added.count, is: 1, named: "the count of rows that were added")
            let number = try await scope.number(in: "one")
            try scope.expect(number, is: added.first.map { Int64($0) }, named: "the row")
        },
    ]

    /// Runs `body` in `count` tasks at once, each with its number from 0, and returns how many gave
    /// true.
    static func countAtOnce(
        _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Bool
    ) async throws -> Int {
        try await runAtOnce(count, body).count(where: \.self)
    }

    /// Runs `body` in `count` tasks at once, each with its number from 0, and returns the values
    /// that are not nil.
    static func runAtOnce<Value: Sendable>(
        _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Value?
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            for number in 0..<count { group.addTask { try await body(number) } }
            var values: [Value] = []
            for try await value in group { if let value { values.append(value) } }
            return values
        }
    }
}
