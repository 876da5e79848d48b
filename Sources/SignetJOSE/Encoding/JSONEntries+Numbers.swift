// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import VectorBridge

extension JSONEntries {
    /// A longer number has no value: no claim needs one, and its conversion costs time.
    private static var maximumNumberLength: Int { 1_024 }

    /// An integer of any width, exactly; nil when it is not written as an integer or does not fit.
    func integer<Value: FixedWidthInteger>(_ record: JSONRecord, as type: Value.Type = Value.self) -> Value? {
        guard record.kind == .number, record.flags.contains(.integer) else { return nil }
        if let short = shortInteger(record) { return Value(exactly: short) }
        let bytes = bytes
        let digits = bytes.span.extracting(Int(record.start)..<Int(record.end))
        var value: Value = 0
        var overflow = false
        // The scanner has seen a digit or more; a negative number is summed downwards, so that the least one fits.
        let isNegative = digits.count > 0 && digits[0] == UInt8(ascii: "-")
        var i = isNegative ? 1 : 0
        while i < digits.count {
            guard let digit = Value(exactly: digits[i] &- UInt8(ascii: "0")) else { return nil }
            (value, overflow) = value.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            (value, overflow) =
                isNegative ? value.subtractingReportingOverflow(digit) : value.addingReportingOverflow(digit)
            if overflow { return nil }
            i &+= 1
        }
        return value
    }

    /// An integer of at most 15 digits without a sign, which cannot overflow.
    private func shortInteger(_ record: JSONRecord) -> Int64? {
        let bytes = bytes
        let digits = bytes.span.extracting(Int(record.start)..<Int(record.end))
        guard digits.count <= 15 else { return nil }
        var value: Int64 = 0
        var i = 0
        if digits.count >= 8 {
            guard let eight = JSONScanner.eightDigits(digits.word(at: 0)) else { return nil }
            value = eight
            i = 8
        }
        while i < digits.count {
            let digit = digits[i] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int64(digit)
            i &+= 1
        }
        return value
    }

    /// A finite number, rounded to the nearest.
    func double(_ record: JSONRecord) -> Double? {
        guard record.kind == .number else { return nil }
        let length = Int(record.end) &- Int(record.start)
        guard length <= Self.maximumNumberLength else { return nil }
        // 15 digits are exact in a Double, and most numbers of a token are times. A zero may carry a sign.
        if length <= 15, record.flags.contains(.integer), let integer = shortInteger(record), integer != 0 {
            return Double(integer)
        }
        let digits = String(decoding: bytes[Int(record.start)..<Int(record.end)], as: UTF8.self)
        guard let value = Double(digits), value.isFinite else { return nil }
        return value
    }
}
