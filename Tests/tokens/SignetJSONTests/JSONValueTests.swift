// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetJSON
import TestSupport
import Testing

@Suite("JSONValue")
struct JSONValueTests {
    static let text = "{\"a\":[1,-2,2.5,1e300],\"b\":{\"c\":null,\"d\":true},\"e\":\"f\"}"
    static let value = JSONValue.object([
        "a": .array([.integer(1), .integer(-2), .number(2.5), .number(1e300)]),
        "b": .object(["c": .null, "d": .bool(true)]), "e": .string("f"),
    ])

    @Test("A document's node becomes a value, or an error with its path")
    func fromANode() throws {
        #expect(try JSONValue(document(Self.text)) == Self.value)
        #expect(
            try JSONValue(document("9223372036854775808")) == .number(9_223_372_036_854_775_808))
        #expect(jsonError { try JSONValue(document("{\"a\":[1e999]}")) }?.path == "a[0]")
    }

    @Test("Members and elements are read by their kind")
    func access() {
        #expect(Self.value["e"]?.stringValue == "f")
        #expect(Self.value["a"]?.arrayValue?.first?.integerValue == 1)
        #expect(Self.value["b"]?["d"]?.boolValue == true)
        #expect(
            Self.value["A"] == nil && Self.value["e"]?["x"] == nil
                && Self.value["e"]?.integerValue == nil)
    }

    @Test("Foundation's coders read and write the same values")
    func throughForeignCoders() throws {
        let decoded = try JSONDecoder().decode(JSONValue.self, from: Data(Self.text.utf8))
        #expect(decoded == Self.value)
        let encoded = try JSONEncoder().encode(Self.value)
        #expect(try JSONTokenDecoder().decode(JSONValue.self, from: Array(encoded)) == Self.value)
    }

    @Test("An error says where, and not what was there")
    func errorsSayWhereAndNotWhat() {
        let error = JSONError(code: .typeMismatch, offset: 3, path: "a[1]")
        #expect(
            error.description == "A value is not of the type that is expected, at a[1], at byte 3.")
        #expect(error == JSONError(code: .typeMismatch))
        #expect(error != JSONError(code: .malformed, offset: 3, path: "a[1]"))
    }

    @Test(
        "Names are exact: the Kelvin sign is not K, and the two forms of é differ"
    )
    func exactNames() throws {
        let text = "{\"\u{212a}ey\":1,\"e\u{301}\":2,\"aud\":3}"
        let value = try JSONTokenDecoder().decode(JSONValue.self, from: Array(text.utf8))
        #expect(value["Key"] == nil)
        #expect(value["\u{e9}"] == nil)
        #expect(value["\u{212a}ey"] == .integer(1))
        #expect(value["e\u{301}"] == .integer(2))
        #expect(value["aud"] == .integer(3))
    }
}
