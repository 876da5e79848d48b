// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A set of domains of one kind: consumer, disposable or relay. A domain below a listed one counts
/// too.
///
/// The built-in lists are small and age. Load a newer one with ``init(text:)``, and join it with
/// ``union(_:)``:
///
/// ```swift
/// let disposable = try DomainList.disposable.union(DomainList(text: newer))
/// ```
public struct DomainList: Sendable, Hashable {
    /// The largest list, in octets: 16 MiB.
    public static let maximumByteCount = 16_777_216
    /// The most domains of a list.
    public static let maximumCount = 500_000

    /// An empty list. In a policy it shows in the source that a check is off.
    public static let empty = DomainList(domains: [])

    /// Octets, so parent domains are looked up without a copy.
    private let domains: Set<ArraySlice<UInt8>>

    /// A list from domains.
    public init(_ domains: some Sequence<EmailDomain>) {
        self.init(domains: Set(domains.map { $0.octets[...] }))
    }

    /// Reads a list: UTF-8, one ASCII domain a line. Empty lines and `#` comments are ignored.
    ///
    /// - Throws: ``EmailListError`` with the number of the line that is not a domain (a single
    ///   label is not one), `empty` if there is no domain, `tooLarge` above ``maximumByteCount``
    ///   and ``maximumCount``.
    public init(text: String) throws(EmailListError) { try self.init(octets: Array(text.utf8)) }

    /// Reads a list from a file's octets. Rules and errors are those of ``init(text:)``.
    public init(octets: [UInt8]) throws(EmailListError) {
        guard octets.count <= Self.maximumByteCount else {
            throw EmailListError(
                .tooLarge, "The list is larger than \(Self.maximumByteCount) octets.")
        }
        var domains: Set<EmailDomain> = []
        for (number, line) in Lines.numbered(octets) {
            let entry = line.prefix { $0 != ASCII.numberSign }.withoutOuterBlanks
            guard !entry.isEmpty else { continue }
            let domain: EmailDomain
            do throws(MailboxError) {
                domain = try EmailDomain(octets: entry)
            } catch {
                throw EmailListError(
                    .line, line: number, underlying: error,
                    "It is not a domain. \(messageOf: error)")
            }
            domains.insert(domain)
            guard domains.count <= Self.maximumCount else {
                throw EmailListError(
                    .tooLarge, line: number,
                    "The list names more than \(Self.maximumCount) domains.")
            }
        }
        guard !domains.isEmpty else { throw EmailListError(.empty, "The list names no domain.") }
        self.init(domains)
    }

    private init(domains: Set<ArraySlice<UInt8>>) { self.domains = domains }

    /// The number of domains.
    public var count: Int { domains.count }

    /// Whether it lists the domain, or one above it.
    public func contains(_ domain: EmailDomain) -> Bool { contains(anyOf: domain.suffixes) }

    /// The listed entry that is this domain, or the longest one above it.
    public func entry(for domain: EmailDomain) -> EmailDomain? {
        domain.suffixes.first { domains.contains($0) }.map(EmailDomain.init(trusted:))
    }

    /// The domains of both.
    public func union(_ other: DomainList) -> DomainList {
        DomainList(domains: domains.union(other.domains))
    }

    /// The list without these entries, to correct it. A listed domain above one of them stays.
    public func removing(_ entries: some Sequence<EmailDomain>) -> DomainList {
        DomainList(domains: domains.subtracting(entries.map { $0.octets[...] }))
    }

    /// Whether it lists one of these: a domain and those above it.
    func contains(anyOf suffixes: [ArraySlice<UInt8>]) -> Bool {
        suffixes.contains { domains.contains($0) }
    }
}
