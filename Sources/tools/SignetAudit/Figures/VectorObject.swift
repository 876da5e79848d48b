// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// A JSON object (or a row of a table) of a vector file, read by name. If a member is absent or of
/// the wrong type, the error names the file and the place.
struct VectorObject: Sendable {
    let place: String
    private let lookup: @Sendable (String) -> JSONNode?

    init(_ node: JSONNode, place: String) {
        self.place = place
        lookup = { node.member($0) }
    }

    init(columns: [String: Int], cells: [JSONNode], place: String) {
        self.place = place
        lookup = { name in columns[name].flatMap { $0 < cells.count ? cells[$0] : nil } }
    }

    func node(_ name: String) throws(AuditError) -> JSONNode {
        guard let node = lookup(name) else { throw malformed(name, because: "is absent") }
        return node
    }

    func has(_ name: String) -> Bool { lookup(name).map { !$0.isNull } ?? false }

    /// Whether a member is there and `true`.
    func isTrue(_ name: String) -> Bool { lookup(name)?.boolValue ?? false }

    func string(_ name: String) throws(AuditError) -> String {
        guard let value = try node(name).stringValue else {
            throw malformed(name, because: "is not a string")
        }
        return value
    }

    func optionalString(_ name: String) throws(AuditError) -> String? {
        has(name) ? try string(name) : nil
    }

    func integer(_ name: String) throws(AuditError) -> Int {
        guard let value = try node(name).int64Value, let integer = Int(exactly: value) else {
            throw malformed(name, because: "is not an integer")
        }
        return integer
    }

    /// A count, at most a million. No file holds that many, and sums of such counts cannot overflow
    /// an `Int`.
    func count(_ name: String) throws(AuditError) -> Int {
        let value = try integer(name)
        guard (0...1_000_000).contains(value) else {
            throw malformed(name, because: "is \(value) instead of 0 to 1,000,000")
        }
        return value
    }

    /// Octets in base64url, as in the figures.
    func bytes(_ name: String) throws(AuditError) -> [UInt8] {
        let text = try string(name)
        guard let bytes = try? Base64URL.decode(text) else {
            throw malformed(name, because: "is not base64url")
        }
        return bytes
    }

    func optionalBytes(_ name: String) throws(AuditError) -> [UInt8]? {
        has(name) ? try bytes(name) : nil
    }

    /// Octets in hexadecimal, as in Wycheproof's files.
    func hexadecimal(_ name: String) throws(AuditError) -> [UInt8] {
        let text = try string(name).utf8
        let digits = text.compactMap(\.hexadecimalValue)
        guard digits.count == text.count, digits.count.isMultiple(of: 2) else {
            throw malformed(name, because: "is not hexadecimal")
        }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    func object(_ name: String) throws(AuditError) -> VectorObject {
        VectorObject(try node(name), place: "\(place).\(name)")
    }

    func strings(_ name: String) throws(AuditError) -> [String] {
        var values: [String] = []
        for element in try node(name).elements {
            guard let value = element.stringValue else {
                throw malformed(name, because: "is not a list of strings")
            }
            values.append(value)
        }
        return values
    }

    func malformed(_ name: String, because what: ErrorMessage) -> AuditError {
        AuditError(.malformed, "\(shown: place): \(shown: name) \(what).")
    }
}
