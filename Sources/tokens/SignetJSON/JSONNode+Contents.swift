// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension JSONNode {
    /// The value of a boolean; nil for a value that is no boolean.
    public var boolValue: Bool? {
        let record = record
        return record.kind == .bool ? record.flags.contains(.isTrue) : nil
    }

    /// The value of a string in a document of Signet's own, for example published vectors. For
    /// documents from outside use ``text``.
    package var stringValue: String? { text?.swiftString() }

    /// The value of a number that is written as an integer and fits; nil for `1.0`, `1e3` and
    /// `9223372036854775808`.
    public var int64Value: Int64? { index.integer(record) }

    /// The value as written in the text: a string includes its quotation marks.
    public var rawBytes: ArraySlice<UInt8> {
        let record = record
        let quotation = record.kind == .string ? 1 : 0
        return index.bytes[(Int(record.start) &- quotation)..<(Int(record.end) &+ quotation)]
    }

    /// The elements of an array, in order; empty for a value that is no array.
    public var elements: some Sequence<JSONNode> {
        let record = record
        return sequence(state: position &+ 1) { [index] next -> JSONNode? in
            guard record.kind == .array, next < Int(record.next) else { return nil }
            let element = JSONNode(index: index, position: next)
            next = Int(index[next].next)
            return element
        }
    }

    /// The members of an object, in the order of the text; empty for a value that is no object.
    public var members: some Sequence<(name: ReceivedText, value: JSONNode)> {
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
