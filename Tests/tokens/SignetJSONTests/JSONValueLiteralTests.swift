// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJSON
import TestSupport
import Testing

@Suite("JSONValue literals")
struct JSONValueLiteralTests {
    @Test("Every kind of JSON has its literal")
    func literals() throws {
        let level = 3
        let value: JSONValue = [
            "sub": "u-\(level)", "roles": ["admin", .null, true], "level": 3, "share": 0.5,
            "whole": 1.0,
            "none": [:], "empty": [],
        ]
        #expect(
            value
                == .object([
                    "sub": .string("u-3"), "roles": .array([.string("admin"), .null, .bool(true)]),
                    "level": .integer(3), "share": .number(0.5), "whole": .number(1),
                    "none": .object([:]), "empty": .array([]),
                ]))
        #expect(
            try encode(value)
                == #"{"empty":[],"level":3,"none":{},"roles":["admin",null,true],"share":0.5,"sub":"u-3","whole":1}"#
        )
        #expect(value["absent"] == nil)
        #expect((-9_223_372_036_854_775_808 as JSONValue).integerValue == .min)
    }

    @Test("nil leaves a member out, and is not null")
    func absence() {
        let value: JSONValue = "x"
        var members: [String: JSONValue] = ["a": value, "b": .null]
        members["a"] = value == "x" ? nil : value
        #expect(members == ["b": .null])
    }

    @Test("A repeated name in a literal does not trap: the later one counts")
    func repeated() {
        let value: JSONValue = ["a": 1, "b": 2, "a": 3]
        #expect(value == ["a": 3, "b": 2])
    }
}
