// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge
internal import Synchronization
internal import VectorBridge

/// The kind of a JSON value.
package enum JSONKind: UInt8, Sendable {
    case null
    case bool
    case number
    case string
    case array
    case object
}

/// One entry of the index: a value, or the name of the member whose value is the entry behind it.
///
/// 16 bytes, in document order; the entries of a container's members lie between it and the entry it links to.
struct JSONRecord: Sendable, Equatable {
    struct Flags: OptionSet, Sendable, Equatable {
        let rawValue: UInt8
        /// A string or name that has to be unescaped.
        static let escaped = Flags(rawValue: 1)
        /// A string or name with bytes past ASCII.
        static let beyondASCII = Flags(rawValue: 2)
        /// A number without fraction and exponent.
        static let integer = Flags(rawValue: 4)
        /// The literal `true`.
        static let isTrue = Flags(rawValue: 8)
        /// An object with more than ``JSONRecord/smallMemberCount`` members.
        static let large = Flags(rawValue: 16)
    }

    /// Up to here, members are looked for one by one; past it, by hash.
    static let smallMemberCount = 32

    /// The first byte: of a string, behind its quotation mark.
    var start: UInt32
    /// The byte behind the last one: of a string, its closing quotation mark.
    var end: UInt32
    /// Of a name: its fingerprint. Of a value: the entry behind it and all that is inside it.
    var link: UInt32
    var kind: JSONKind
    var flags: Flags

    /// Whether nothing stands there: of a string, between its quotation marks.
    var isEmpty: Bool { start == end }

    /// An entry that is not in use.
    static let none = JSONRecord(start: 0, end: 0, link: 0, kind: .null, flags: [])

    /// Length, first, middle and last byte of an unescaped name: unlike names seldom agree in it, those of up to three bytes never,
    /// and it costs four loads.
    @inline(__always)
    static func fingerprint(_ name: Span<UInt8>) -> UInt32 {
        guard !name.isEmpty else { return 0 }
        return fingerprint(
            count: name.count, first: name[0], middle: name[name.count / 2], last: name[name.count &- 1])
    }

    @inline(__always)
    private static func fingerprint(count: Int, first: UInt8, middle: UInt8, last: UInt8) -> UInt32 {
        UInt32(truncatingIfNeeded: min(count, 0xff)) << 24 | UInt32(first) << 16 | UInt32(middle) << 8
            | UInt32(last)
    }

    /// The fingerprint that a name of these three letters has, and no other name.
    @inline(__always)
    static func fingerprint(_ first: Unicode.Scalar, _ middle: Unicode.Scalar, _ last: Unicode.Scalar)
        -> UInt32
    {
        fingerprint(
            count: 3, first: UInt8(truncatingIfNeeded: first.value),
            middle: UInt8(truncatingIfNeeded: middle.value),
            last: UInt8(truncatingIfNeeded: last.value))
    }

    /// Whether a fingerprint is that of one name only.
    @inline(__always)
    static func isUnique(_ fingerprint: UInt32) -> Bool { fingerprint >> 24 <= 3 }
}

/// A parsed document: its bytes and the index over them. Made only by ``JSONDocument``, whose scanner has checked
/// every offset in it, and from ``JSONWritten``, all of whose bytes ``JSONEncodingStream`` has written.
final class JSONIndex: JSONEntries, Sendable {
    let bytes: [UInt8]
    /// The entries of a usual token are part of the object, so that they cost no allocation.
    private let few: InlineArray<56, JSONRecord>
    /// The entries of any other document; empty where the others are in use.
    private let many: ContiguousArray<JSONRecord>
    /// Where the last member was found, and in which object: decoders ask for members in the order of the text more often
    /// than not. A hint and nothing else, so that it does not matter which thread wrote it.
    private let hint = Atomic<UInt64>(0)
    /// The innermost value whose type did not decode, for errors that do not say where. As good as
    /// a hint: two threads that decode at once may take each other's.
    private let failure = Atomic<Int>(0)
    /// How many steps paths have taken since decoding began.
    private let pathSteps = Atomic<Int>(0)

    init(bytes: [UInt8], records: borrowing JSONFewRecords) {
        self.bytes = bytes
        few = records.places
        many = []
    }

    init(bytes: [UInt8], records: JSONManyRecords) {
        self.bytes = bytes
        few = InlineArray(repeating: JSONRecord.none)
        many = records.places
    }

    /// An entry.
    @inline(__always)
    subscript(position: Int) -> JSONRecord { many.isEmpty ? few[position] : many[position] }

    /// The entry behind the last one.
    var end: Int {
        let root = self[0]
        return root.kind == .array || root.kind == .object ? Int(root.link) : 1
    }

    /// The entry of the value of the member with exactly this name.
    func member(_ name: String, of object: Int) -> Int? {
        let wanted = name.utf8.span
        let fingerprint = JSONRecord.fingerprint(wanted)
        let end = Int(self[object].link)
        let hint = hint.load(ordering: .relaxed)
        let next = Int(hint & 0xffff_ffff)
        let first = Int(hint >> 32) == object && next > object ? next : object &+ 1
        if first < end, isMember(first, wanted, fingerprint) { return found(first &+ 1, of: object) }
        return search(wanted, fingerprint, of: object, from: first, to: end)
    }

    /// From the hint to the end, then from the beginning to the hint.
    @inline(never)
    private func search(
        _ wanted: Span<UInt8>, _ fingerprint: UInt32, of object: Int, from first: Int, to end: Int
    ) -> Int? {
        var i = first
        while i < end {
            if isMember(i, wanted, fingerprint) { return found(i &+ 1, of: object) }
            i = Int(self[i &+ 1].link)
        }
        i = object &+ 1
        while i < first {
            if isMember(i, wanted, fingerprint) { return found(i &+ 1, of: object) }
            i = Int(self[i &+ 1].link)
        }
        return nil
    }

    /// Whether the entry of a name is of this one.
    @inline(__always)
    private func isMember(_ position: Int, _ wanted: Span<UInt8>, _ fingerprint: UInt32) -> Bool {
        let record = self[position]
        guard record.link == fingerprint else { return false }
        return JSONRecord.isUnique(fingerprint) || text(of: record, equals: wanted)
    }

    @inline(__always)
    private func found(_ member: Int, of object: Int) -> Int {
        hint.store(UInt64(object) << 32 | UInt64(self[member].link), ordering: .relaxed)
        return member
    }

    /// Whether a string or name, unescaped, is exactly these bytes.
    func text(of record: JSONRecord, equals wanted: Span<UInt8>) -> Bool {
        let bytes = bytes
        if record.flags.contains(.escaped) {
            let text = JSONText.unescape(bytes.span.extracting(Int(record.start)..<Int(record.end)))
            return bytesAreEqual(text.span, wanted)
        }
        return bytesAreEqual(bytes.span.extracting(Int(record.start)..<Int(record.end)), wanted)
    }

    /// A string or name, unescaped.
    func text(of record: JSONRecord) -> ReceivedText { text(of: record, bytes: record.start..<record.end) }

    /// The beginning of a string or name, unescaped: so many characters and perhaps some more, of
    /// which the last may be cut.
    func text(of record: JSONRecord, atMost characterCount: UInt32) -> ReceivedText {
        // A character has up to four bytes, or twelve as a pair of escapes.
        let longest = characterCount &* (record.flags.contains(.escaped) ? 12 : 4)
        return text(
            of: record, bytes: record.start..<(record.start &+ min(record.end &- record.start, longest)))
    }

    private func text(of record: JSONRecord, bytes range: Range<UInt32>) -> ReceivedText {
        let text = bytes[Int(range.lowerBound)..<Int(range.upperBound)]
        guard record.flags.contains(.escaped) else { return ReceivedText(utf8: text) }
        return ReceivedText(utf8: JSONText.unescape(text.span)[...])
    }

    // MARK: - Failures

    /// Where the last attempt to decode failed; the whole text where that is not known.
    var failedPosition: Int { failure.load(ordering: .relaxed) }

    /// Before an attempt to decode.
    func forgetFailures() {
        failure.store(0, ordering: .relaxed)
        pathSteps.store(0, ordering: .relaxed)
    }

    /// How many steps paths may still take: all of them together no more than some for each entry.
    /// A type that tries one form and takes another meets an error for each element of an array,
    /// and walking to each of them would take the square of their number.
    var remainingPathSteps: Int { 1_000 &+ 8 &* end &- pathSteps.load(ordering: .relaxed) }

    func spend(pathSteps count: Int) { pathSteps.add(count, ordering: .relaxed) }

    /// Keeps the place of a failure, unless it came from a place inside of it.
    @inline(never)
    func noteFailure(at position: Int) {
        let noted = failedPosition
        if noted <= position || noted >= Int(self[position].link) {
            failure.store(position, ordering: .relaxed)
        }
    }

    /// How many elements an array, or members an object, has.
    func count(of container: Int) -> Int {
        let record = self[container]
        guard record.kind == .array || record.kind == .object else { return 0 }
        let step = record.kind == .object ? 1 : 0
        var count = 0
        var i = container &+ 1
        while i < Int(record.link) {
            count &+= 1
            i = Int(self[i &+ step].link)
        }
        return count
    }
}
