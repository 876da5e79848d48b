// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The quick way to encode: text and index are written at once, as long as a type encodes in the order of the text, which
/// nearly every type does.
///
/// Whatever is unusual (a container that is written to after the next one has begun, a value in a place that is taken, a
/// number that is not finite, a name that is there already, a question for the coding path) makes it give up for good. ``JSONEncodingTree`` is asked then, which knows all of JSON and says what is wrong: hence this way never reports
/// an error, and never writes a text that the other would not have written.
struct JSONEncodingStream {
    /// "No container is open", and "no place waits".
    private static let none = -1

    private var text = JSONTextBuffer(capacity: 1_000)
    private var records = JSONManyRecords(reserving: 32)
    /// The innermost open container. While it is open, its link holds the one around it, as in the scanner.
    private var innermost = none
    private var depth = 0
    /// The place whose value comes next; the whole text to begin with.
    private var waiting = 0
    private(set) var hasGivenUp = false
    /// How often it was asked for what it could not do.
    private var refusalCount = 0

    // MARK: - Places

    /// A new element or, with a name, member, whose value comes next.
    mutating func add(name: String?, to container: Int) -> Int? {
        guard begin(name: name, in: container) else { return giveUp() }
        waiting = records.count
        return waiting
    }

    /// A new element or member that is a scalar.
    mutating func add(name: String?, to container: Int, _ value: some JSONScalar) -> Bool {
        guard begin(name: name, in: container), write(value) else { return giveUp() != nil }
        return true
    }

    /// Writes a scalar in a place that waits.
    mutating func set(_ position: Int, _ value: some JSONScalar) -> Bool {
        guard !hasGivenUp, waiting == position, write(value) else { return giveUp() != nil }
        waiting = Self.none
        return true
    }

    /// Makes a place an array or object; asked again, gives the same one.
    mutating func open(_ position: Int, _ kind: JSONEncodingNode.Kind, maximumDepth: Int) -> Int? {
        guard !hasGivenUp else { return nil }
        let isObject = kind == .object
        if waiting != position {
            // A name is never what a place is asked to be again: places are those of values.
            guard position < records.count, records[position].kind == (isObject ? .object : .array)
            else { return giveUp() }
            return position
        }
        guard depth < maximumDepth else { return giveUp() }
        let record = JSONRecord(
            start: UInt32(truncatingIfNeeded: text.count), end: 0,
            link: UInt32(truncatingIfNeeded: innermost), kind: isObject ? .object : .array, flags: [])
        guard records.append(record) else { return giveUp() }
        text.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
        innermost = position
        depth &+= 1
        waiting = Self.none
        return position
    }

    /// A place in which nothing was encoded becomes an empty object, as with `JSONEncoder`. The whole text does not: who
    /// encodes nothing at all has lost everything.
    mutating func settle(_ position: Int, maximumDepth: Int) {
        guard waiting == position else { return }
        guard position > 0 else {
            giveUp()
            return
        }
        _ = open(position, .object, maximumDepth: maximumDepth)
    }

    /// How many elements or members a container has.
    ///
    /// Having given up, a number that grows: whoever goes on until there are enough elements must come to an end.
    mutating func count(of container: Int) -> Int {
        // A place that waits is an element as well, and nothing may be closed around it: its value would go somewhere else.
        guard !hasGivenUp, waiting == Self.none, close(downTo: container) else {
            giveUp()
            return refusalCount
        }
        var count = 0
        var i = container &+ 1
        while i < records.count {
            count &+= 1
            i = Int(records[i].link)
        }
        return count
    }

    // MARK: - The end

    /// What was written; nil when it has to be encoded in the other way.
    mutating func finish() -> JSONWritten? {
        guard !hasGivenUp, waiting == Self.none, close(downTo: Self.none), text.count <= Int(Int32.max)
        else { return nil }
        return JSONWritten(bytes: text.bytes, byteCount: text.count, records: records.places)
    }

    /// - Returns: nil, so that it can be returned.
    @discardableResult
    mutating func giveUp() -> Int? {
        hasGivenUp = true
        refusalCount &+= 1
        return nil
    }

    // MARK: - Writing

    /// Writes what goes before a value.
    private mutating func begin(name: String?, in container: Int) -> Bool {
        // Before a name goes past what an entry can say.
        guard !hasGivenUp, waiting == Self.none, text.count <= Int(Int32.max), close(downTo: container)
        else { return false }
        let isFirst = records.count &- 1 == container
        guard let name else {
            if !isFirst { text.append(UInt8(ascii: ",")) }
            return true
        }
        let own = name.utf8.span
        let start = text.count &+ (isFirst ? 1 : 2)
        let flags = text.append(quoted: own, comma: !isFirst, colon: true)
        return records.append(
            JSONRecord(
                start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: text.count &- 2),
                link: JSONRecord.fingerprint(own), kind: .string, flags: flags))
    }

    @inline(__always)
    private mutating func write<Scalar: JSONScalar>(_ value: Scalar) -> Bool {
        let start = text.count
        guard let flags = value.append(to: &text) else { return false }
        let quotation = Scalar.kind == .string ? 1 : 0
        return records.append(
            JSONRecord(
                start: UInt32(truncatingIfNeeded: start &+ quotation),
                end: UInt32(truncatingIfNeeded: text.count &- quotation),
                link: UInt32(truncatingIfNeeded: records.count &+ 1), kind: Scalar.kind, flags: flags))
    }

    /// Closes what is open inside of a container.
    /// - Returns: false when that container is not open itself.
    @inline(__always)
    private mutating func close(downTo container: Int) -> Bool {
        // Most members are written to the container that is open already.
        innermost == container || closeInner(downTo: container)
    }

    @inline(never)
    private mutating func closeInner(downTo container: Int) -> Bool {
        while innermost != container {
            guard innermost != Self.none else { return false }
            let position = innermost
            var record = records[position]
            let isObject = record.kind == .object
            text.append(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
            innermost = Int(Int32(truncatingIfNeeded: record.link))
            depth &-= 1
            record.end = UInt32(truncatingIfNeeded: text.count)
            record.link = UInt32(truncatingIfNeeded: records.count)
            if isObject {
                guard let isLarge = Self.isLarge(text, object: position, in: &records) else { return false }
                if isLarge { record.flags.insert(.large) }
            }
            records[position] = record
        }
        return true
    }

    /// Whether an object has many members; nil when two of them have one name.
    @inline(__always)
    private static func isLarge(
        _ text: borrowing JSONTextBuffer, object: Int, in records: inout JSONManyRecords
    ) -> Bool? {
        do throws(JSONFault) {
            return try JSONNames.check(
                text.bytes.span.extracting(0..<text.count), object: object, in: &records)
        } catch {
            return nil
        }
    }
}
