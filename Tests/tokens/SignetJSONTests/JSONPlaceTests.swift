// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJSON
import TestSupport
import Testing

@Suite("Where a JSON text is wrong") struct JSONPlaceTests {
    @Test(
        "The line and the column are those of the first byte that does not fit",
        arguments: [
            ("", 1, 1), ("x", 1, 1), ("{\"a\":1,}", 1, 8), ("{\n  \"a\": 1,\n}", 3, 1),
            ("{\r\n\"a\": 'b'\r\n}", 2, 6), ("[1,\n2,\n\n", 4, 1), ("{\"a\":1,\n\"a\":2}", 2, 2),
            ("{} {}", 1, 4), ("[\"ü\",\n \"ü\", x]", 2, 8),
        ])
    func place(_ text: String, _ line: Int, _ column: Int) {
        do throws(JSONError) {
            _ = try StrictJSON.decode(JSONValue.self, from: text.utf8)
            Issue.record("\(text) was read")
        } catch {
            #expect(error.line == line && error.column == column, "\(error)")
            #expect("\(error)".contains("at line \(line), column \(column)."), "\(error)")
        }
    }

    @Test("An error of a value, and one without a text, have no line")
    func none() {
        do throws(JSONError) {
            _ = try StrictJSON.decode(Int.self, from: "\"a\"".utf8)
            Issue.record("a text was read as a number")
        } catch {
            #expect(error.line == nil && error.column == nil)
        }
        #expect(JSONError(code: .malformed, offset: 5).line == nil)
    }
}
