// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetMemory
internal import Synchronization

/// A parsed document: its bytes, and an index with an *entry* (``JSONRecord``) for each value and
/// each name. Positions are indexes of entries. For `{"exp":7,"iss":"me"}`, `member("iss", of: 0)`
/// is 4:
///
/// ```
/// entry  text   next      (the entry after it and after everything inside it)
///     0  {…}       5
///     1  exp       2      a name; the entry after it is the member's value
///     2  7         3
///     3  iss       4
///     4  me        5
/// ```
// Only JSONDocument makes it. Its scanner has checked the text and every offset, so sums are `&+`
// and nothing is checked a second time here.
final class JSONIndex: Sendable {
    let bytes: [UInt8]
    private let records: ContiguousArray<JSONRecord>
    /// The position of the innermost value that did not decode, for errors that do not say where.
    /// Only a hint: two threads that decode at once may swap theirs.
    private let failure = Atomic<Int>(0)
    /// How many entries were passed since decoding began, to find the paths of errors.
    private let pathSteps = Atomic<Int>(0)

    init(bytes: [UInt8], records: ContiguousArray<JSONRecord>) {
        self.bytes = bytes
        self.records = records
    }

    /// The entry at a position.
    subscript(position: Int) -> JSONRecord { records[position] }

    /// The position of the value of the member with exactly this name; nil if there is none.
    func member(_ name: String, of object: Int) -> Int? {
        let wanted = name.utf8.span
        // A record keeps the first and the last byte of a name, which rule out most names at once.
        // For an empty name, these are its quotation marks (0x22).
        var ends: UInt16 = 0x2222
        if wanted.count > 0 {
            ends = UInt16(wanted[0]) | UInt16(wanted[wanted.count &- 1]) << 8
        }
        let records = records
        let end = Int(records[object].next)
        var i = object &+ 1
        while i < end {
            let candidate = records[i]
            let mayMatch = candidate.ends == ends || candidate.flags.contains(.escaped)
            if mayMatch, text(of: candidate, equals: wanted) { return i &+ 1 }
            i = Int(records[i &+ 1].next)
        }
        return nil
    }

    /// Whether a string or name, unescaped, is exactly the bytes `wanted`.
    func text(of record: JSONRecord, equals wanted: Span<UInt8>) -> Bool {
        let bytes = bytes
        let text = bytes.span.extracting(Int(record.start)..<Int(record.end))
        guard record.flags.contains(.escaped) else { return bytesAreEqual(text, wanted) }
        return bytesAreEqual(JSONText.unescape(text).span, wanted)
    }

    /// A string or name, unescaped.
    @inline(__always)
    func text(of record: JSONRecord) -> ReceivedText {
        let text = bytes[Int(record.start)..<Int(record.end)]
        guard record.flags.contains(.escaped) else { return ReceivedText(utf8: text) }
        return ReceivedText(utf8: JSONText.unescape(text.span)[...])
    }

    /// How many elements an array, or members an object, has.
    func count(of container: Int) -> Int {
        let record = self[container]
        guard record.kind == .array || record.kind == .object else { return 0 }
        // A member's value comes after its name.
        let nameCount = record.kind == .object ? 1 : 0
        var count = 0
        var i = container &+ 1
        while i < Int(record.next) {
            count &+= 1
            i = Int(self[i &+ nameCount].next)
        }
        return count
    }

    // MARK: - Numbers

    /// Longer numbers have no value: no claim needs them, and converting them is expensive.
    private static var maximumNumberLength: Int { 1_024 }

    /// An integer of any width, exactly; nil when it is not written as an integer or does not fit.
    func integer<Value: FixedWidthInteger>(_ record: JSONRecord, as type: Value.Type = Value.self)
        -> Value?
    {
        guard record.kind == .number, record.flags.contains(.integer) else { return nil }
        var value: Value = 0
        var overflow = false
        // Negative numbers are summed downwards, so the smallest one fits.
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

    /// An integer of at most 18 digits, which fits; nil for a longer or a different value.
    func shortInteger(_ record: JSONRecord) -> Int64? {
        guard record.kind == .number, record.flags.contains(.integer) else { return nil }
        let isNegative = bytes[Int(record.start)] == UInt8(ascii: "-")
        let digits = (Int(record.start) &+ (isNegative ? 1 : 0))..<Int(record.end)
        guard digits.count <= 18 else { return nil }
        var value: Int64 = 0
        for i in digits { value = value &* 10 &+ Int64(bytes[i] &- UInt8(ascii: "0")) }
        return isNegative ? 0 &- value : value
    }

    /// A finite number, rounded to the nearest.
    func double(_ record: JSONRecord) -> Double? {
        guard record.kind == .number else { return nil }
        let length = Int(record.end) &- Int(record.start)
        guard length <= Self.maximumNumberLength else { return nil }
        // 15 digits are exact in a Double, and most numbers of a token are times. A zero may carry
        // a sign.
        if length <= 15, let integer = shortInteger(record), integer != 0 { return Double(integer) }
        let digits = String(decoding: bytes[Int(record.start)..<Int(record.end)], as: UTF8.self)
        guard let value = Double(digits), value.isFinite else { return nil }
        return value
    }

    // MARK: - Failures

    /// Where the last attempt to decode failed; 0, the whole text, where that is not known.
    var failedPosition: Int { failure.load(ordering: .relaxed) }

    /// Call before an attempt to decode.
    func forgetFailures() {
        failure.store(0, ordering: .relaxed)
        pathSteps.store(0, ordering: .relaxed)
    }

    /// Keeps the position of a failure, unless a position inside of it is already kept: each
    /// `init(from:)` on the way out reports the failure again.
    func noteFailure(at position: Int) {
        let noted = failedPosition
        let isInside = noted > position && noted < Int(self[position].next)
        if !isInside { failure.store(position, ordering: .relaxed) }
    }

    /// How many entries may still be passed to find the paths of errors: 1,000 for a small
    /// document, and 8 for each entry. A type that tries a text and then a number, say, fails once
    /// at each element of an array. Without the limit, the walks to all elements would take
    /// quadratic time.
    var remainingPathSteps: Int {
        1_000 &+ 8 &* records.count &- pathSteps.load(ordering: .relaxed)
    }

    /// Counts steps that a path has taken.
    func spend(pathSteps count: Int) { pathSteps.add(count, ordering: .relaxed) }
}
