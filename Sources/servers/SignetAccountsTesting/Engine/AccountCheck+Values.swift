// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

extension AccountCheck {
    private static let put: SQLStatement = """
        UPDATE signet_check_rows SET number = $3, words = $4, data = $5
        WHERE scope = $1 AND name = $2 RETURNING number, words, data
        """
    private static let get: SQLStatement = """
        SELECT number, words, data FROM signet_check_rows WHERE scope = $1 AND name = $2
        """

    static let values = [
        AccountCheck("values come back as they were") { scope in
            try await scope.add("row")
            let texts = ["", "12", "é", "e\u{301}", "\u{1F511} 'quoted' \"\\ $1 ?1", "\u{1}\u{7f}"]
            let rows: [[SQLValue]] =
                [.min, -1, 0, 1, .max].map { [.integer($0), .null, .null] }
                + texts.map { [.null, .text($0), .null] }
                + [
                    [.null, .text(String(repeating: "a", count: 60_000)), .null],
                    [.null, .null, .bytes([])], [.null, .null, .bytes([0])],
                    [.null, .null, .bytes(Array(0...255))],
                    [.null, .null, .bytes(Array("12".utf8))],
                    [.null, .null, .bytes([UInt8](repeating: 7, count: 60_000))],
                    [.null, .null, .null], [.integer(1), .text("one"), .bytes([1])],
                ]
            for row in rows {
                let key: [SQLValue] = [.text(scope.name), .text("row")]
                let returned = try await scope.run(put, values: key + row)
                try scope.expect(areSame(returned, row), "RETURNING gave other values than \(row)")
                let read = try await scope.run(get, values: key, on: 1)
                try scope.expect(
                    areSame(read, row), "the second object read other values than \(row)")
            }
        },
        AccountCheck("a statement may use its values in any order, and several times") { scope in
            try await scope.add("row", number: 5)
            let rows = try await scope.run(
                """
                UPDATE signet_check_rows SET number = number + $3, words = $2
                WHERE scope = $1 AND name = $2 AND words IS NULL AND number < $3
                RETURNING number, words
                """, values: [.text(scope.name), .text("row"), .integer(10)])
            try scope.expect(rows.count, is: 1, named: "the count of rows")
            try scope.expect(
                rows.first?.values ?? [], is: [.integer(15), .text("row")], named: "the row")
        },
        AccountCheck("wrong counts of values, zero bytes and unknown tables are refused") { scope in
            try await scope.expect(.invalidParameter, by: "a text with a zero byte") {
                try await scope.run(
                    AccountCheckScope.select, values: [.text(scope.name), .text("a\0b")])
            }
            try await scope.expect(.invalidParameter, by: "1 value instead of 2") {
                try await scope.run(AccountCheckScope.select, values: [.text(scope.name)])
            }
            try await scope.expect(.invalidParameter, by: "3 values instead of 2") {
                try await scope.run(
                    AccountCheckScope.select, values: [.text(scope.name), .text("a"), .text("b")])
            }
            try await scope.expect(.corrupt, by: "a table that is not there") {
                try await scope.run("SELECT number FROM signet_no_such_table")
            }
        },
        AccountCheck("the clock counts milliseconds since 1970, and advances in a transaction") {
            scope in
            let times = try await scope.database.transaction {
                (transaction) throws(AccountError) -> [Int64] in
                var times: [Int64] = []
                // Repeats until the clock has advanced, so the machine may be slow.
                while times.count < 2 || times.last == times.first {
                    let rows = try await transaction.run("SELECT {now}", values: [])
                    guard let row = rows.first else { break }
                    times.append(try row.integer(0))
                }
                return times
            }
            guard let first = times.first, let last = times.last, times.count > 1 else {
                throw AccountFinding(message: "the clock gives no row")
            }
            try scope.expect(first < last, "the clock goes back from \(first) to \(last)")
            // Between the years 2020 and 2200. A count in another unit would be outside.
            try scope.expect(
                (1_577_836_800_000...7_258_118_400_000).contains(last),
                "the clock gives \(last), which is no count of milliseconds since 1970")
        },
    ]

    private static func areSame(_ rows: [SQLRow], _ values: [SQLValue]) -> Bool {
        rows.count == 1 && rows[0].values.elementsEqual(values, by: areSame)
    }

    /// Compares texts by their bytes, because `==` treats composed and decomposed forms as equal.
    private static func areSame(_ a: SQLValue, _ b: SQLValue) -> Bool {
        if case .text(let a) = a, case .text(let b) = b { return Array(a.utf8) == Array(b.utf8) }
        return a == b
    }
}
