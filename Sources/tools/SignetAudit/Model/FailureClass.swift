// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The ways in which a vector may be rejected. A vector that must be rejected states which ways
/// count. Any other error is a deviation, even though it keeps the bad input out.
public struct FailureClass: OptionSet, Sendable, Hashable, CustomStringConvertible {
    /// The bits of the set.
    public let rawValue: UInt8

    /// Makes a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The tag or the signature is wrong.
    public static let authentication = FailureClass(rawValue: 1 << 0)
    /// The key is refused: its size, a point off the curve, an exponent, what it may be used for.
    public static let key = FailureClass(rawValue: 1 << 1)
    /// The input does not have the required form.
    public static let malformed = FailureClass(rawValue: 1 << 2)
    /// The algorithm is not offered, or not the key's.
    public static let algorithm = FailureClass(rawValue: 1 << 3)
    /// A critical header parameter is not understood.
    public static let critical = FailureClass(rawValue: 1 << 4)
    /// A parameter is out of range: the length of a nonce or of an output.
    public static let parameter = FailureClass(rawValue: 1 << 5)
    /// The form is right, but a policy does not allow it.
    public static let policy = FailureClass(rawValue: 1 << 6)

    /// All of them: for families that do not say what is wrong with a token.
    public static let any: FailureClass = [
        .authentication, .key, .malformed, .algorithm, .critical, .parameter, .policy,
    ]

    private static let names: [(name: String, value: FailureClass)] = [
        ("authentication", .authentication), ("key", .key), ("malformed", .malformed),
        ("algorithm", .algorithm),
        ("critical", .critical), ("parameter", .parameter), ("policy", .policy),
    ]

    /// Reads the names that the figures use, separated by commas; nil if a name is unknown or there
    /// are none.
    init?(names text: String) {
        var value: FailureClass = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let known = Self.names.first(where: { $0.name == part }) else { return nil }
            value.insert(known.value)
        }
        self = value
    }

    /// The names of the members.
    public var description: String {
        self == .any
            ? "any" : Self.names.filter { contains($0.value) }.map(\.name).joined(separator: ", ")
    }
}
