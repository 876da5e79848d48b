// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The name of one request, in its answer and in the log.
///
/// A caller may give one, so that the lines of several services can be found together. It is taken only in a form that can do no harm in
/// a log or a header: 8 to 64 letters, digits, `.`, `_` and `-`.
struct CorrelationID: Sendable, Hashable, CustomStringConvertible {
    let text: String

    /// The caller's, or nil when it is not well-formed.
    init?(wellFormed text: String) {
        guard (8...64).contains(text.utf8.count), text.utf8.allSatisfy(Self.isAllowed) else {
            return nil
        }
        self.text = text
    }

    private init(made text: String) { self.text = text }

    /// A new one.
    static func make() -> CorrelationID {
        CorrelationID(made: RandomText.identifier())
    }

    var description: String { text }

    private static func isAllowed(_ octet: UInt8) -> Bool {
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
