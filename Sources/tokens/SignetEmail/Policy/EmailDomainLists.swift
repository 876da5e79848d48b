// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The lists that a policy uses: the built-in lists unless you give your own.
public struct EmailDomainLists: Sendable {
    /// Domains where anyone can get an address.
    public var consumer: DomainList
    /// Domains with disposable addresses.
    public var disposable: DomainList
    /// Domains whose addresses forward to hidden addresses.
    public var privateRelay: DomainList

    /// Makes the lists. To add a newer list to a built-in list, join them:
    /// `DomainList.disposable.union(newer)`.
    public init(
        consumer: DomainList = .consumer, disposable: DomainList = .disposable,
        privateRelay: DomainList = .privateRelay
    ) {
        self.consumer = consumer
        self.disposable = disposable
        self.privateRelay = privateRelay
    }

    /// The lists' verdict; nil if none names the domain. The order is that of ``EmailVerdict``.
    func verdict(on domain: EmailDomain) -> EmailVerdict? {
        let suffixes = domain.suffixes
        if privateRelay.contains(anyOf: suffixes) { return .privateRelay }
        if disposable.contains(anyOf: suffixes) { return .disposable }
        return consumer.contains(anyOf: suffixes) ? .consumer : nil
    }
}
