// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

/// Claims to sign, as the user wrote them.
struct ClaimsText {
    /// The claims. Each means what it meant in the text.
    let value: JSONValue

    init(_ bytes: [UInt8]) throws {
        let root: JSONNode
        do throws(JSONError) {
            root = try JSONDocument(
                bytes, limits: .init(maximumByteCount: Input.maximumJWTByteCount)
            )
            .root
            value = try JSONValue(root)
        } catch {
            throw CommandFailure.refused(
                "malformed", "The claims are not strict JSON (\(error.code.rawValue)).",
                advice: "Give one JSON object without repeated members.")
        }
        guard root.kind == .object else {
            throw CommandFailure.refused("malformed", "The claims are not a JSON object.")
        }
        guard Self.keepsNumbers(root) else {
            throw CommandFailure.refused(
                "numberOutOfRange",
                "A number in the claims has more digits than readers of JSON keep.",
                advice: "Write it as a string: \"12345678901234567890\"")
        }
    }

    /// Whether a reader with 64-bit integers and doubles keeps every number unchanged.
    private static func keepsNumbers(_ node: JSONNode) -> Bool {
        switch node.kind {
        case .number: keeps(node)
        case .array: node.elements.allSatisfy(keepsNumbers)
        case .object: node.members.allSatisfy { keepsNumbers($0.value) }
        default: true
        }
    }

    private static func keeps(_ node: JSONNode) -> Bool {
        if node.int64Value != nil { return true }
        let digits = node.rawBytes.prefix { $0 | 0x20 != UInt8(ascii: "e") }
            .filter { (0x30...0x39).contains($0) }.drop { $0 == 0x30 }
        // A double keeps any 15 digits, and 17 digits that were written from a double.
        guard !digits.isEmpty else { return true }
        guard let value = node.doubleValue, value != 0 else { return false }
        return digits.reversed().drop { $0 == 0x30 }.count <= 17
    }
}
