// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE

/// Tokens of 10 MB that somebody sends who has no key.
enum HostileToken: String, CaseIterable {
    /// Nothing but dots: ten million empty parts for whoever splits first.
    case dots
    /// Three parts of well-formed base64url that hold nothing.
    case characters
    /// The header of a good token, a payload of 10 MB and a signature of the right length.
    case payload

    static let byteCount = 10_000_000

    var title: String {
        switch self {
        case .dots: "10 MB of dots"
        case .characters: "10 MB of base64url with two dots"
        case .payload: "a good header, 10 MB of payload, a forged signature"
        }
    }

    /// - Parameter good: a token that verifies, for its header and the length of its signature.
    func text(like good: String) throws -> String {
        switch self {
        case .dots:
            return String(repeating: ".", count: Self.byteCount)
        case .characters:
            // A whole number of groups of four, so that it is the content that is refused and not the length.
            let part = String(repeating: "A", count: Self.byteCount / 12 * 4 + 4)
            return "\(part).\(part).\(part)"
        case .payload:
            let parts = good.split(separator: ".")
            guard parts.count == 3 else { throw BenchmarkError.setup("hostile token") }
            let payload = String(repeating: "A", count: Self.byteCount)
            return "\(parts[0]).\(payload).\(String(repeating: "A", count: parts[2].count))"
        }
    }
}
