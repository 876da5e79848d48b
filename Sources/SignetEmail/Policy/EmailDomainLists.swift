// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The lists that a policy looks at: the built-in ones, unless others are given.
public struct EmailDomainLists: Sendable {
    /// Domains where anybody can get an address.
    public var consumer: DomainList
    /// Domains where anybody can get an address for a moment.
    public var disposable: DomainList
    /// Domains whose addresses stand for others.
    public var privateRelay: DomainList

    /// Lists. To add a newer one to a built-in one, join them:
    /// `DomainList.disposable.union(newer)`.
    public init(
        consumer: DomainList = .consumer, disposable: DomainList = .disposable,
        privateRelay: DomainList = .privateRelay
    ) {
        self.consumer = consumer
        self.disposable = disposable
        self.privateRelay = privateRelay
    }

    /// What the lists say; nil when none names the domain. The order is that of ``EmailVerdict``.
    func verdict(on domain: EmailDomain) -> EmailVerdict? {
        let suffixes = domain.suffixes
        if privateRelay.contains(anyOf: suffixes) { return .privateRelay }
        if disposable.contains(anyOf: suffixes) { return .disposable }
        return consumer.contains(anyOf: suffixes) ? .consumer : nil
    }
}
