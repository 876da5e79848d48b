// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A set of domains of one kind: consumer, disposable or relay. A domain below a listed domain
/// counts too; of an entry `*.domain`, only the domains below count. A list as a text:
///
/// ```
/// # throw-away addresses
/// mailbox.example        lists mailbox.example and eu.mailbox.example
/// *.host.example         lists ann.host.example, and not host.example
/// ```
///
/// The built-in lists are small and age. Load a newer list with ``init(text:publicSuffixes:)``, and
/// join it with ``union(_:)``:
///
/// ```swift
/// let disposable = try DomainList.disposable.union(DomainList(text: newer))
/// ```
public struct DomainList: Sendable, Hashable {
    /// The largest list, in octets: 16 MiB.
    public static let maximumByteCount = 16_777_216
    /// The most domains of a list.
    public static let maximumCount = 500_000

    /// An empty list. A policy with this list does not check for domains of the kind, and its
    /// source says so.
    public static let empty = DomainList(domains: [])

    /// The domains listed alone. Octets, so parent domains are looked up without a copy.
    private let domains: Set<ArraySlice<UInt8>>
    /// The domains listed as `*.domain`: the names below them count, they themselves do not.
    private let parents: Set<ArraySlice<UInt8>>

    /// A list from domains.
    public init(_ domains: some Sequence<EmailDomain>) {
        self.init(domains: Set(domains.map { $0.octets[...] }))
    }

    /// Reads a list: UTF-8, one ASCII domain a line.
    ///
    /// `*.company.example` lists every name below `company.example`, and not that domain. Empty
    /// lines, a byte order mark at the beginning, and comments from `#` or `//` to the end of their
    /// line are ignored.
    ///
    /// - Parameters:
    ///   - text: the list.
    ///   - publicSuffixes: no `*.` may stand before a public suffix: the entry would list the
    ///     domains of strangers.
    /// - Throws: ``EmailListError`` with the number of the line that is not a domain (a single
    ///   label is not enough), `empty` if there is no domain, `tooLarge` above ``maximumByteCount``
    ///   or ``maximumCount``.
    public init(
        text: String, publicSuffixes: some PublicSuffixSource = .builtIn
    ) throws(EmailListError) {
        try self.init(octets: Array(text.utf8), publicSuffixes: publicSuffixes)
    }

    /// Reads a list from a file's octets, by the rules and with the errors of
    /// ``init(text:publicSuffixes:)``.
    public init(
        octets: [UInt8], publicSuffixes: some PublicSuffixSource = .builtIn
    ) throws(EmailListError) {
        guard octets.count <= Self.maximumByteCount else {
            throw EmailListError(
                .tooLarge,
                "The list has \(octets.count) octets; it may have \(Self.maximumByteCount).")
        }
        var domains: Set<ArraySlice<UInt8>> = []
        var parents: Set<ArraySlice<UInt8>> = []
        for (number, line) in Lines.numbered(octets) {
            let entry = Self.withoutComment(line)
            guard !entry.isEmpty else { continue }
            if entry.starts(with: Self.wildcard) {
                let parent = try Self.domain(entry.dropFirst(Self.wildcard.count), line: number)
                try Self.checkParent(parent, publicSuffixes: publicSuffixes, line: number)
                parents.insert(parent.octets[...])
            } else {
                domains.insert(try Self.domain(entry, line: number).octets[...])
            }
            guard domains.count + parents.count <= Self.maximumCount else {
                throw EmailListError(
                    .tooLarge, line: number,
                    "The list names more than \(Self.maximumCount) domains.")
            }
        }
        guard !domains.isEmpty || !parents.isEmpty else {
            throw EmailListError(.empty, "The list names no domain.")
        }
        self.init(domains: domains, parents: parents)
    }

    private init(domains: Set<ArraySlice<UInt8>>, parents: Set<ArraySlice<UInt8>> = []) {
        self.domains = domains
        self.parents = parents
    }

    /// The number of entries.
    public var count: Int { domains.count + parents.count }

    /// Whether the list names the domain, or a domain above it.
    public func contains(_ domain: EmailDomain) -> Bool { contains(anyOf: domain.suffixes) }

    /// The domain of the entry that lists this domain: the domain itself, or the longest listed
    /// domain above it. A `*.` before the entry is left out.
    public func entry(for domain: EmailDomain) -> EmailDomain? {
        firstListed(of: domain.suffixes).map(EmailDomain.init(trusted:))
    }

    /// The domains of this list and of the given list.
    public func union(_ other: DomainList) -> DomainList {
        DomainList(
            domains: domains.union(other.domains), parents: parents.union(other.parents))
    }

    /// The list without the entries of the given domains, with `*.` or without, to correct the
    /// list. A listed domain above a removed domain stays.
    public func removing(_ entries: some Sequence<EmailDomain>) -> DomainList {
        let removed = entries.map { $0.octets[...] }
        return DomainList(
            domains: domains.subtracting(removed), parents: parents.subtracting(removed))
    }

    /// Whether the list names one of the suffixes: a domain and the domains above it.
    func contains(anyOf suffixes: [ArraySlice<UInt8>]) -> Bool { firstListed(of: suffixes) != nil }

    /// The first of the suffixes that is listed. The suffixes of `a.b.example` are itself,
    /// `b.example` and `example`. An entry `*.a.b.example` does not list the first.
    private func firstListed(of suffixes: [ArraySlice<UInt8>]) -> ArraySlice<UInt8>? {
        if let domain = suffixes.first, domains.contains(domain) { return domain }
        return suffixes.dropFirst().first { domains.contains($0) || parents.contains($0) }
    }

    private static let wildcard = Array("*.".utf8)

    /// The part of a line before its comment, without blanks around it. No domain has a `#` or a
    /// `/`.
    private static func withoutComment(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let commentStart = line.indices.first {
            line[$0] == ASCII.numberSign
                || line[$0] == ASCII.slash && line[$0...].dropFirst().first == ASCII.slash
        }
        return line[..<(commentStart ?? line.endIndex)].withoutOuterBlanks
    }

    /// Refuses `*.co.uk`: everyone can register a domain below a public suffix.
    private static func checkParent(
        _ domain: EmailDomain, publicSuffixes: some PublicSuffixSource, line: Int
    ) throws(EmailListError) {
        guard !publicSuffixes.isPublicSuffix(domain) else {
            throw EmailListError(
                .line, line: line,
                "\(shown: domain.text) is a public suffix: '*.\(shown: domain.text)' would list everyone's domains below it. Name the domains."
            )
        }
    }

    /// The domain of a line, or an error with the line's number.
    private static func domain(
        _ octets: ArraySlice<UInt8>, line: Int
    ) throws(EmailListError) -> EmailDomain {
        do {
            return try EmailDomain(octets: octets)
        } catch {
            throw EmailListError(
                .line, line: line, underlying: error, "It is not a domain. \(messageOf: error)")
        }
    }
}
