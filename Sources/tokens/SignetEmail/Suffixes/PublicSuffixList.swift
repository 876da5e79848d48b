// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The published list of public suffixes (publicsuffix.org), with its algorithm: the longest
/// matching rule, wildcards, exceptions, and the last label if no rule matches.
///
/// ```swift
/// let suffixes = try PublicSuffixList(text: text)
/// ```
///
/// The list is not part of Signet: its licence is MPL-2.0, and it changes every week. Non-ASCII
/// rules are encoded by RFC 3492 (the list has them in normal form), so they match domains in their
/// `xn--` form; domains are never decoded.
public struct PublicSuffixList: PublicSuffixSource {
    /// The parts of the list.
    public struct Sections: OptionSet, Sendable, Hashable {
        /// The bits of the set.
        public let rawValue: UInt8

        /// A set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Suffixes that registries sell: `co.uk`.
        public static let icann = Sections(rawValue: 1)
        /// Suffixes that companies give to their customers: `github.io`.
        public static let `private` = Sections(rawValue: 2)
        /// The suffixes of registries and of companies.
        public static let all: Sections = [.icann, .private]
    }

    /// The list's answer about a domain.
    public struct Match: Sendable, Hashable {
        /// The public suffix that the domain ends with; in lower case, one label or more.
        public let suffix: String
        /// The sections with the rule; empty if no rule matches and the last label is the suffix.
        public let sections: Sections
        /// The suffix with one more label; nil if the domain is a public suffix itself.
        public let registrableDomain: EmailDomain?
    }

    /// The largest list, in octets: 16 MiB.
    public static let maximumByteCount = 16_777_216
    /// The most rules of a list.
    public static let maximumRuleCount = 500_000

    private let rules: [ArraySlice<UInt8>: SuffixRule]
    /// The number of rules.
    public let ruleCount: Int

    /// Reads a list.
    ///
    /// - Parameters:
    ///   - text: the list, in the format of publicsuffix.org.
    ///   - sections: the sections whose rules count. Rules outside any section always count.
    /// - Throws: ``EmailListError``: `line` with its number for a line that is not a rule (as in an
    ///   HTML page), `truncated` if a section does not end or a requested section is missing,
    ///   `empty` without a rule, `tooLarge` above ``maximumByteCount`` or ``maximumRuleCount``,
    ///   `encoding`.
    public init(text: String, sections: Sections = .all) throws(EmailListError) {
        try self.init(octets: Array(text.utf8), sections: sections)
    }

    /// Reads a list from a file's octets, by the rules and with the errors of
    /// ``init(text:sections:)``.
    public init(octets: [UInt8], sections: Sections = .all) throws(EmailListError) {
        var reader = SuffixListReader(wanted: sections)
        try reader.read(octets)
        rules = reader.rules
        ruleCount = reader.count
    }

    /// Whether this very domain is a public suffix, by a rule of the sections that were read.
    public func isPublicSuffix(_ domain: EmailDomain) -> Bool {
        findSuffix(in: domain.suffixes).index == 0
    }

    /// The public suffix of a domain, and the registered domain.
    public func match(_ domain: EmailDomain) -> Match {
        let suffixes = domain.suffixes
        let found = findSuffix(in: suffixes)
        let suffix = suffixes.indices.contains(found.index) ? suffixes[found.index] : []
        let registrable = found.index > 0 ? EmailDomain(trusted: suffixes[found.index - 1]) : nil
        return Match(
            suffix: String(decoding: suffix, as: UTF8.self), sections: found.sections,
            registrableDomain: registrable)
    }

    /// The registered domain, `company.co.uk` of `mail.company.co.uk`; nil for a
    /// public suffix.
    public func registrableDomain(of domain: EmailDomain) -> EmailDomain? {
        match(domain).registrableDomain
    }

    /// A public suffix among the suffixes of a domain.
    private struct FoundSuffix {
        /// Its index in `EmailDomain.suffixes`, which has the longest suffix first.
        let index: Int
        let sections: Sections
    }

    /// Finds the public suffix. For `a.b.jp` the suffixes are `a.b.jp`, `b.jp` and `jp`:
    ///
    /// - the exception `!b.jp` makes `jp` the public suffix, whatever the other rules;
    /// - otherwise the longest suffix that a rule names wins: the rule `b.jp` names `b.jp`, and so
    ///   does `*.jp`;
    /// - without a rule, the last label, `jp`, is the public suffix.
    private func findSuffix(in suffixes: [ArraySlice<UInt8>]) -> FoundSuffix {
        var longest: FoundSuffix?
        for (index, suffix) in suffixes.enumerated() {
            let rule = rules[suffix]
            if let rule, !rule.exception.isEmpty {
                return FoundSuffix(index: index + 1, sections: rule.exception)
            }
            // Only a later exception can win over the longest suffix.
            guard longest == nil else { continue }
            let above = suffixes.indices.contains(index + 1) ? rules[suffixes[index + 1]] : nil
            let sections = (rule?.itself ?? []).union(above?.below ?? [])
            if !sections.isEmpty { longest = FoundSuffix(index: index, sections: sections) }
        }
        return longest ?? FoundSuffix(index: suffixes.count - 1, sections: [])
    }
}
