// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Any JSON value, for members that have no Swift type of their own.
///
/// A number that is written as an integer and fits `Int64` is ``integer(_:)``; a number that does
/// not is ``number(_:)``, rounded to the nearest `Double`, so an integer past `Int64` loses digits.
/// A number past the largest `Double` is an error and never infinite. The order of an object's
/// members is not kept; encoding sorts them by name.
public enum JSONValue: Sendable, Hashable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number that is written as an integer and fits `Int64`.
    case integer(Int64)
    /// A number that is no ``integer(_:)``. Encoding throws if it is not finite.
    case number(Double)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object([String: JSONValue])

    /// Copies a value out of a document.
    /// - Throws: ``JSONError``: `numberOutOfRange`.
    package init(_ node: JSONNode) throws(JSONError) {
        do throws(DecodingError) {
            try self.init(node.index, at: node.position)
        } catch {
            throw node.index.converted(error)
        }
    }

    // A recursion no deeper than the document, whose depth is limited.
    init(_ index: JSONIndex, at position: Int) throws(DecodingError) {
        let record = index[position]
        switch record.kind {
        case .null:
            self = .null
        case .bool:
            self = .bool(record.flags.contains(.isTrue))
        case .string:
            self = .string(index.text(of: record).swiftString())
        case .number:
            if let integer = index.integer(record, as: Int64.self) {
                self = .integer(integer)
            } else {
                self = .number(try index.double(at: position))
            }
        case .array:
            var elements: [JSONValue] = []
            var next = position &+ 1
            while next < Int(record.next) {
                elements.append(try JSONValue(index, at: next))
                next = Int(index[next].next)
            }
            self = .array(elements)
        case .object:
            var members: [String: JSONValue] = [:]
            var next = position &+ 1
            while next < Int(record.next) {
                let name = index.text(of: index[next]).swiftString()
                members[name] = try JSONValue(index, at: next &+ 1)
                next = Int(index[next &+ 1].next)
            }
            self = .object(members)
        }
    }
}
