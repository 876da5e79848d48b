// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A policy's answer about an address. If several apply, the first of this list is the answer.
public enum EmailVerdict: Sendable, Hashable, CustomStringConvertible {
    /// There is no address, or the policy does not accept its form.
    case malformed(MailboxError)
    /// The address forwards to a hidden address, and says nothing about an employer.
    case privateRelay
    /// No provider or check confirmed the address: it is only what a user typed.
    case unverified
    /// The domain has disposable addresses.
    case disposable
    /// The domain gives addresses to anyone.
    case consumer
    /// A rule names the domain: the organisation's if the provider names an organisation, otherwise
    /// the address's.
    case allowed(EmailDomain)
    /// No rule names the domain.
    case notAllowed

    /// Whether the verdict is ``allowed(_:)``.
    public var isAllowed: Bool { if case .allowed = self { true } else { false } }

    /// A stable name for logs and answers, without anything of the address.
    public var name: String {
        switch self {
        case .malformed: "malformed"
        case .privateRelay: "privateRelay"
        case .unverified: "unverified"
        case .disposable: "disposable"
        case .consumer: "consumer"
        case .allowed: "allowed"
        case .notAllowed: "notAllowed"
        }
    }

    /// The name, and the reason or the domain.
    public var description: String {
        switch self {
        case .malformed(let error): "malformed (\(error))"
        case .allowed(let domain): "allowed (\(domain))"
        default: name
        }
    }
}
