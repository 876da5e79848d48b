// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetJOSE

/// Claims to sign, as the user wrote them.
struct ClaimsText {
    /// The claims. Each means what it meant in the text.
    let value: JSONValue
    private let root: JSONNode

    init(_ bytes: [UInt8]) throws {
        do {
            root = try JSONDocument(
                bytes, limits: .init(maximumByteCount: Input.maximumJWTByteCount)
            )
            .root
            value = try JSONValue(root)
        } catch {
            throw Self.unreadable(bytes, error: error)
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

    /// Claims of a text, and those that options give besides.
    init(_ bytes: [UInt8], adding given: [GivenClaim]) throws {
        let alone = try ClaimsText(bytes)
        for claim in given where alone.root.kind(of: claim.name) != nil {
            throw CommandFailure.refused(
                "claimInvalid",
                "The claim \(shown: claim.name) is given twice: as an option, and in the text of the claims.",
                advice: "Leave one of them out.")
        }
        guard !given.isEmpty else {
            self = alone
            return
        }
        let encoder = JSONTokenEncoder(allowsFragments: true)
        let members = try given.map { claim in
            try encoder.encode(claim.name) + [UInt8(ascii: ":")] + claim.json
        }
        // `{"a":1}` without its last brace.
        let own = alone.root.count == 0 ? [] : [Array(alone.root.rawBytes.dropFirst().dropLast())]
        let inner = (own + members).joined(separator: [UInt8(ascii: ",")])
        self = try ClaimsText([UInt8(ascii: "{")] + inner + [UInt8(ascii: "}")])
    }

    /// The failure for a text that is not strict JSON: it names the text's format or, if the format
    /// is unknown, the position of the fault and what is there.
    private static func unreadable(_ text: [UInt8], error: JSONError) -> CommandFailure {
        let shape = InputShape(of: text.span)
        return .refused(
            "malformed",
            shape.flatMap {
                $0.isJSON || $0.isAlphabet ? nil : $0.sentence(about: "The text of the claims")
            }
                ?? "The claims are not strict JSON (\(error.fault)\(found(text, error: error))).",
            advice: "Give one JSON object without repeated members.")
    }

    private static func found(_ text: [UInt8], error: JSONError) -> ErrorMessage {
        guard error.code == .malformed, let offset = error.offset else { return "" }
        guard text.indices.contains(offset) else { return ": the text ends there" }
        let byte = text[offset]
        return (0x21..<0x7f).contains(byte)
            ? ": found '\(shown: String(Unicode.Scalar(byte)))'"
            : ": found the byte 0x\(shown: [byte].hexadecimalText)"
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
