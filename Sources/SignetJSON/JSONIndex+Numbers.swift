// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension JSONIndex {
    /// A longer number has no value: no claim needs one, and its conversion costs time.
    private static var maximumNumberLength: Int { 1_024 }

    /// An integer of any width, exactly; nil when it is not written as an integer or does not fit.
    func integer<Value: FixedWidthInteger>(_ record: JSONRecord, as type: Value.Type = Value.self)
        -> Value?
    {
        guard record.kind == .number, record.flags.contains(.integer) else { return nil }
        var value: Value = 0
        var overflow = false
        // A negative number is summed downwards, so that the least one fits.
        let isNegative = bytes[Int(record.start)] == UInt8(ascii: "-")
        for i in (Int(record.start) &+ (isNegative ? 1 : 0))..<Int(record.end) {
            guard let digit = Value(exactly: bytes[i] &- UInt8(ascii: "0")) else { return nil }
            (value, overflow) = value.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            (value, overflow) =
                isNegative
                ? value.subtractingReportingOverflow(digit) : value.addingReportingOverflow(digit)
            if overflow { return nil }
        }
        return value
    }

    /// A finite number, rounded to the nearest.
    func double(_ record: JSONRecord) -> Double? {
        guard record.kind == .number else { return nil }
        let length = Int(record.end) &- Int(record.start)
        guard length <= Self.maximumNumberLength else { return nil }
        // 15 digits are exact in a Double, and most numbers of a token are times. A zero may carry
        // a sign.
        if length <= 15, let integer: Int64 = integer(record), integer != 0 {
            return Double(integer)
        }
        let digits = String(decoding: bytes[Int(record.start)..<Int(record.end)], as: UTF8.self)
        guard let value = Double(digits), value.isFinite else { return nil }
        return value
    }
}
