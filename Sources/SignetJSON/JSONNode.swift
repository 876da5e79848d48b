// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// One value of a ``JSONDocument``: a light view, which keeps the document alive.
///
/// A property that asks for another kind than the value has is nil; nothing is converted between kinds.
package struct JSONNode: Sendable {
    let index: JSONIndex
    let position: Int

    var record: JSONRecord { index[position] }

    /// What the value is.
    package var kind: JSONKind { record.kind }

    /// Whether the value is `null`.
    package var isNull: Bool { record.kind == .null }

    /// The value of a boolean.
    package var boolValue: Bool? {
        let record = record
        return record.kind == .bool ? record.flags.contains(.isTrue) : nil
    }

    /// The value of a string, unescaped.
    package var text: ReceivedText? {
        let record = record
        return record.kind == .string ? index.text(of: record) : nil
    }

    /// The value of a string of our own documents: published vectors and the like. Of a stranger's,
    /// ask ``text``.
    package var stringValue: String? { text?.swiftString() }

    /// Whether the value is a string of exactly these UTF-8 bytes; nothing is allocated unless it has escapes.
    package func isString(equalTo text: String) -> Bool {
        let record = record
        return record.kind == .string && index.text(of: record, equals: text.utf8.span)
    }

    /// The value of a number that is written as an integer and fits; nil for `1.0`, `1e3` and `9223372036854775808`.
    package var int64Value: Int64? { index.integer(record) }

    /// The value of a number, rounded to the nearest; nil when it is past the largest finite one.
    package var doubleValue: Double? { index.double(record) }

    /// The value as it stands in the text: a string with its quotation marks.
    package var rawBytes: ArraySlice<UInt8> {
        let record = record
        let quotation = record.kind == .string ? 1 : 0
        return index.bytes[(Int(record.start) &- quotation)..<(Int(record.end) &+ quotation)]
    }

    /// How many elements an array, or members an object, has; 0 for any other kind.
    package var count: Int { index.count(of: position) }

    /// The value of the member with exactly this name; nil when there is none, or the value is not an object.
    package func member(_ name: String) -> JSONNode? {
        guard record.kind == .object, let member = index.member(name, of: position) else {
            return nil
        }
        return JSONNode(index: index, position: member)
    }

    /// The elements of an array, in order; none for any other kind.
    package var elements: some Sequence<JSONNode> {
        let record = record
        return sequence(state: position &+ 1) { [index] next -> JSONNode? in
            guard record.kind == .array, next < Int(record.next) else { return nil }
            let element = JSONNode(index: index, position: next)
            next = Int(index[next].next)
            return element
        }
    }

    /// The members of an object, in the order of the text; none for any other kind.
    package var members: some Sequence<(name: ReceivedText, value: JSONNode)> {
        let record = record
        return sequence(state: position &+ 1) {
            [index] next -> (name: ReceivedText, value: JSONNode)? in
            guard record.kind == .object, next < Int(record.next) else { return nil }
            let name = index.text(of: index[next])
            let value = JSONNode(index: index, position: next &+ 1)
            next = Int(index[next &+ 1].next)
            return (name, value)
        }
    }
}
