// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import Testing

@Suite("SQL for each engine", .serialized)
struct SQLDialectTests {
    @Test("Placeholders are filled in for each engine")
    func filled() {
        let statement: SQLStatement = "SELECT {now}, $1 FROM a WHERE b = '{}'"
        let dialect = SQLDialect(now: "clock()", bytes: "x", integer: "y")
        #expect(statement.text(in: dialect) == "SELECT clock(), $1 FROM a WHERE b = '{}'")
    }
}
