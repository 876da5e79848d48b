// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The domain of an e-mail address: lower-case ASCII, at least two labels.
///
/// A label has 1 to 63 letters, digits and hyphens, with no hyphen at either end; the last is not
/// all digits (RFC 5321, `Domain`; RFC 1123, section 2.1). A label `xn--…` is compared as written,
/// and not decoded. Domains are compared by octets and whole labels, folding only A…Z: never as
/// Unicode text, in which U+212A is a k. **Not** checked: whether the domain exists.
public struct EmailDomain: Sendable, Hashable, CustomStringConvertible {
    /// The longest domain as text, in octets (RFC 1035: 255 on the wire).
    public static let maximumByteCount = 253
    /// The most octets of a label.
    public static let maximumLabelByteCount = 63

    /// In lower case, without a trailing dot.
    package let octets: [UInt8]

    /// Reads a domain.
    ///
    /// - Throws: ``MailboxError`` with the rule that the text breaks.
    public init(
        _ text: String, trailingDot: TrailingDotRule = .strict,
        converter: (any DomainConverter)? = nil
    ) throws(MailboxError) {
        try self.init(octets: Array(text.utf8)[...], trailingDot: trailingDot, converter: converter)
    }

    package init(
        octets: ArraySlice<UInt8>, trailingDot: TrailingDotRule = .strict,
        converter: (any DomainConverter)? = nil
    ) throws(MailboxError) {
        self.octets = try DomainParser(trailingDot: trailingDot, converter: converter).parse(octets)
    }

    /// The end of a domain that has been read: its last labels, two at least.
    init(trusted octets: ArraySlice<UInt8>) { self.octets = Array(octets) }

    /// The domain as text.
    public var text: String { String(decoding: octets, as: UTF8.self) }

    /// The labels, from left to right.
    public var labels: [String] {
        octets.split(separator: ASCII.dot).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Whether this domain is below the given domain, with more whole labels before it. No domain
    /// is below itself.
    public func isSubdomain(of other: EmailDomain) -> Bool {
        let rest = octets.count - other.octets.count
        return rest > 1 && octets[rest - 1] == ASCII.dot
            && octets[rest...].elementsEqual(other.octets)
    }

    /// The domain as text.
    public var description: String { text }

    /// The domain, the domain without its first label, and so on to the last label.
    var suffixes: [ArraySlice<UInt8>] {
        var suffixes = [octets[...]]
        for (index, octet) in octets.enumerated() where octet == ASCII.dot {
            suffixes.append(octets[(index + 1)...])
        }
        return suffixes
    }
}
