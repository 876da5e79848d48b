// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJSON
import TestSupport
import Testing

@Suite("JSON numbers")
struct JSONNumberTests {
    @Test(
        "Only whole numbers of 64 bits, without fraction or exponent, are integers",
        arguments: [
            ("0", 0), ("-0", 0), ("1300819380", 1_300_819_380), ("-17", -17),
            ("9223372036854775807", Int64.max),
            ("-9223372036854775808", Int64.min), ("9223372036854775808", nil),
            ("-9223372036854775809", nil),
            ("18446744073709551616", nil), ("99999999999999999999999999", nil), ("1.0", nil),
            ("1e0", nil),
            ("1E3", nil),
            ("1e300", nil), ("1.5", nil), ("1e-1", nil), ("0.0", nil),
        ] as [(String, Int64?)])
    func integers(text: String, value: Int64?) throws {
        #expect(try document(text).int64Value == value)
    }

    @Test(
        "A number is the nearest Double, or has no value beyond its range",
        arguments: [
            ("0", 0), ("1300819380", 1_300_819_380), ("1300819380.0", 1_300_819_380),
            ("1.3e9", 1.3e9),
            ("-1.5E+2", -150),
            ("123456789012345", 123_456_789_012_345), ("9007199254740993", 9_007_199_254_740_992),
            ("0.1", 0.1),
            ("5e-324", .leastNonzeroMagnitude), ("1e-400", 0),
            ("1.7976931348623157e308", .greatestFiniteMagnitude),
            ("1e309", nil),
            ("-1e309", nil), ("1e999999999999", nil),
            ("123456789012345678901234567890", 123_456_789_012_345_677_877_719_597_056),
        ] as [(String, Double?)])
    func doubles(text: String, value: Double?) throws {
        #expect(try document(text).doubleValue == value)
    }

    @Test("Negative zero keeps its sign")
    func negativeZeroKeepsItsSign() throws {
        #expect(try document("-0").doubleValue?.sign == .minus)
        #expect(try document("-0.0").doubleValue?.sign == .minus)
    }

    @Test("A number of more than 1,024 characters has no value")
    func longNumbersHaveNoValue() throws {
        let node = try document(String(repeating: "1", count: 200_000))
        #expect(node.int64Value == nil && node.doubleValue == nil)
        #expect(try document("0." + String(repeating: "3", count: 1_022)).doubleValue == 1.0 / 3)
        #expect(try document("0." + String(repeating: "3", count: 1_023)).doubleValue == nil)
    }

    @Test("Integers of each width come back, and others are refused")
    func widths() throws {
        try width(Int8.self)
        try width(Int16.self)
        try width(Int32.self)
        try width(Int64.self)
        try width(Int128.self)
        try width(Int.self)
        try width(UInt8.self)
        try width(UInt16.self)
        try width(UInt32.self)
        try width(UInt64.self)
        try width(UInt128.self)
        try width(UInt.self)
    }

    struct Holder<Member: Codable>: Codable {
        let a: Member
        let b: Member?
    }

    private func width<Value: FixedWidthInteger & Codable>(_ type: Value.Type) throws {
        for value in [Value.min, Value.max, 0, 1] {
            #expect(try decode(Value.self, "\(value)") == value)
            #expect(try decode([Value].self, "[\(value)]") == [value])
            #expect(try decode(Holder<Value>.self, "{\"a\":\(value),\"b\":\(value)}").b == value)
            #expect(try encode(Holder(a: value, b: value)) == "{\"a\":\(value),\"b\":\(value)}")
            #expect(try encode([value]) == "[\(value)]")
            #expect(try encode(value) == "\(value)")
        }
        let past = "\(Value.max)0"
        for text in ["1.0", "1e1", past, "-\(past)"] {
            #expect(
                jsonError { try decode(Value.self, text) }?.code == .numberOutOfRange,
                "\(type) \(text)")
            #expect(
                jsonError { try decode([Value].self, "[\(text)]") }?.code == .numberOutOfRange,
                "\(type) \(text)")
            let error = jsonError { try decode(Holder<Value>.self, "{\"a\":\(text)}") }
            #expect(error?.code == .numberOutOfRange && error?.path == "a", "\(type) \(text)")
        }
        for text in ["\"1\"", "true", "null", "[]", "{}"] {
            #expect(
                jsonError { try decode(Value.self, text) }?.code == .typeMismatch, "\(type) \(text)"
            )
        }
    }

    @Test("Floating-point numbers out of range, or in strings, are refused")
    func floats() throws {
        #expect(try decode(Float.self, "0.5") == 0.5)
        #expect(jsonError { try decode(Float.self, "1e39") }?.code == .numberOutOfRange)
        #expect(jsonError { try decode(Double.self, "1e309") }?.code == .numberOutOfRange)
        #expect(jsonError { try decode(Double.self, "\"1\"") }?.code == .typeMismatch)
    }
}
