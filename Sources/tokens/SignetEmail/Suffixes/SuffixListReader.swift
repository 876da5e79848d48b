// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Reads the published list of public suffixes, line by line, for ``PublicSuffixList``:
///
/// ```
/// // ===BEGIN ICANN DOMAINS===      begins a section
/// uk                                a rule
/// *.ck                              a rule for each name directly below ck
/// !www.ck                           an exception to that rule
/// // ===END ICANN DOMAINS===        ends the section
/// ```
///
/// A public suffix is a domain below which anyone can register a name. ICANN's section has the
/// suffixes of registries, the private section suffixes of companies, such as `github.io`. After
/// `read`, `rules` has `uk` (itself), `ck` (below it) and `www.ck` (an exception).
struct SuffixListReader {
    /// The sections whose rules are kept.
    let wanted: PublicSuffixList.Sections
    /// The rules by name, without `*.` and `!`.
    private(set) var rules: [ArraySlice<UInt8>: SuffixRule] = [:]
    /// How many lines became rules.
    private(set) var count = 0
    /// The section that has begun and not ended; empty outside of the sections.
    private var open: PublicSuffixList.Sections = []
    /// The sections that have ended.
    private var complete: PublicSuffixList.Sections = []
    /// Whether any section has begun: a list without sections is complete as it is.
    private var hasSections = false

    init(wanted: PublicSuffixList.Sections) { self.wanted = wanted }

    /// Reads a whole list. After an error, nothing of it may be used.
    mutating func read(_ octets: [UInt8]) throws(EmailListError) {
        guard octets.count <= PublicSuffixList.maximumByteCount else {
            throw EmailListError(
                .tooLarge,
                "The list has \(octets.count) octets; it may have \(PublicSuffixList.maximumByteCount)."
            )
        }
        for (number, line) in Lines.numbered(octets) {
            let text = line.withoutOuterBlanks
            if text.starts(with: Self.comment) {
                try readMarker(text, lineNumber: number)
            } else if !text.isEmpty {
                // A rule ends where white space begins.
                try readRule(text.prefix { !$0.isBlank }, lineNumber: number)
            }
        }
        guard open.isEmpty, !hasSections || complete.isSuperset(of: wanted) else {
            throw EmailListError(
                .truncated,
                "A section of the list does not end, or is not there: part of the file is missing.")
        }
        guard count > 0 else { throw EmailListError(.empty, "The list has no rule.") }
    }

    private static let comment = Array("//".utf8)
    private static let markers:
        [(begin: [UInt8], end: [UInt8], section: PublicSuffixList.Sections)] = [
            (
                Array("===BEGIN ICANN DOMAINS===".utf8), Array("===END ICANN DOMAINS===".utf8),
                .icann
            ),
            (
                Array("===BEGIN PRIVATE DOMAINS===".utf8), Array("===END PRIVATE DOMAINS===".utf8),
                .private
            ),
        ]

    /// Begins or ends a section, if the comment is its marker.
    private mutating func readMarker(
        _ line: ArraySlice<UInt8>, lineNumber number: Int
    ) throws(EmailListError) {
        let text = line.dropFirst(Self.comment.count).withoutOuterBlanks
        for marker in Self.markers {
            if text.elementsEqual(marker.begin) {
                guard open.isEmpty, !complete.contains(marker.section) else {
                    throw EmailListError(
                        .line, line: number,
                        "A section begins inside of a section, or for the second time.")
                }
                open = marker.section
                hasSections = true
            } else if text.elementsEqual(marker.end) {
                guard open == marker.section else {
                    throw EmailListError(.line, line: number, "A section ends that did not begin.")
                }
                open = []
                complete.insert(marker.section)
            }
        }
    }

    /// Reads `name`, `*.name` or `!name`, and keeps the rule if its section is wanted.
    private mutating func readRule(
        _ text: ArraySlice<UInt8>, lineNumber number: Int
    ) throws(EmailListError) {
        guard count < PublicSuffixList.maximumRuleCount else {
            throw EmailListError(
                .tooLarge, line: number,
                "The list has more than \(PublicSuffixList.maximumRuleCount) rules.")
        }
        // The rule `*` alone is the default anyway.
        guard !text.elementsEqual([ASCII.asterisk]) else { return }
        let isException = text.first == UInt8(ascii: "!")
        let isWildcard = text.starts(with: Self.wildcard)
        var written = text
        if isException { written = text.dropFirst() }
        if isWildcard { written = text.dropFirst(Self.wildcard.count) }
        // In lower case and with `xn--`; an error if it is no name.
        let name = try SuffixName.ascii(written, line: number)
        guard !isException || name.contains(ASCII.dot) else {
            throw EmailListError(.line, line: number, "An exception has two labels at least.")
        }
        // A list without sections counts for all.
        let section = open.isEmpty ? PublicSuffixList.Sections.all : open
        guard !section.isDisjoint(with: wanted) else { return }
        count += 1
        if isException {
            rules[name, default: SuffixRule()].exception.formUnion(section)
        } else if isWildcard {
            rules[name, default: SuffixRule()].below.formUnion(section)
        } else {
            rules[name, default: SuffixRule()].itself.formUnion(section)
        }
    }

    private static let wildcard = Array("*.".utf8)
}
