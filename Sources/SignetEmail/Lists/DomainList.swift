// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A set of domains of one kind: consumer, disposable, relay. A domain below a listed one counts as well.
///
/// The built-in lists are small and age. Load a newer one with ``init(text:)``, and join it with ``union(_:)``:
///
/// ```swift
/// let disposable = try DomainList.disposable.union(DomainList(text: newer))
/// ```
public struct DomainList: Sendable, Hashable {
    /// The largest list that is read, in octets: 16 MiB.
    public static let maximumByteCount = 16_777_216
    /// The most domains of a list that is read.
    public static let maximumCount = 500_000

    /// Nothing. Given to a policy it says in the source that a check is off.
    public static let empty = DomainList(domains: [])

    private let domains: Set<EmailDomain>

    /// A list from domains.
    public init(_ domains: some Sequence<EmailDomain>) { self.init(domains: Set(domains)) }

    /// Reads a list: UTF-8, one domain a line in ASCII; empty lines, and `#` with what follows it, do not count.
    ///
    /// - Throws: ``EmailListError`` with the number of the line that is no domain (one label alone is none), `empty` when
    ///   there is no domain, `tooLarge` above ``maximumByteCount`` and ``maximumCount``.
    public init(text: String) throws(EmailListError) { try self.init(octets: Array(text.utf8)) }

    /// As the other form, for the octets of a file.
    public init(octets: [UInt8]) throws(EmailListError) {
        domains = try DomainListReader().read(octets)
    }

    private init(domains: Set<EmailDomain>) { self.domains = domains }

    /// How many domains it names.
    public var count: Int { domains.count }

    /// Whether it names the domain, or one above it.
    public func contains(_ domain: EmailDomain) -> Bool { entry(for: domain) != nil }

    /// The domain of the list that is this one, or the longest above it.
    public func entry(for domain: EmailDomain) -> EmailDomain? {
        for suffix in domain.suffixes {
            let candidate = EmailDomain(trusted: suffix)
            if domains.contains(candidate) { return candidate }
        }
        return nil
    }

    /// The domains of both.
    public func union(_ other: DomainList) -> DomainList {
        DomainList(domains: domains.union(other.domains))
    }

    /// The list without these entries, for a list that names a domain wrongly. A domain above one of them stays.
    public func removing(_ entries: some Sequence<EmailDomain>) -> DomainList {
        DomainList(domains: domains.subtracting(entries))
    }
}
