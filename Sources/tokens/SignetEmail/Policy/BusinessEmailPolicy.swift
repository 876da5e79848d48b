// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Decides whether an e-mail address belongs to a business, by allowed domains only.
///
/// ```swift
/// let policy = try BusinessEmailPolicy(allowing: [
///     "yourcompany.example", .includeSubdomains("partner.example"),
/// ])
/// guard policy.verdict(for: identity.email).isAllowed else { return 403 }
/// ```
///
/// The verdict is `.allowed`, or says why not: `.consumer` for ann@gmail.com, for example.
///
/// Domains are compared by whole labels, as lower-case ASCII (see ``EmailDomain``). A policy never
/// changes. For newer lists, make a new policy, which fails with an error if a list names a domain
/// that a rule allows; the old policy stays in force until you replace it. A listed domain *below*
/// an allowed domain is refused by the list's verdict.
///
/// **Not** checked: whether the person still works there. A verdict is about the token that it was
/// made from.
public struct BusinessEmailPolicy: Sendable {
    /// The allowed domains.
    private let rules: DomainRuleSet
    /// The consumer, disposable and relay domains, which are refused.
    private let lists: EmailDomainLists
    /// Whether the address's domain must be allowed too if the provider names an organisation.
    private let organization: OrganizationEvidenceRule
    private let mailbox: Mailbox.Options

    /// A policy that allows the domains of the rules.
    ///
    /// - Parameters:
    ///   - rules: must not be empty.
    ///   - publicSuffixes: no rule may name a public suffix, and
    ///     ``EmailDomainRule/includeSubdomains(_:)`` does not reach below a public suffix. The same
    ///     holds, whatever the source, for some domains in which a service gives names to anyone,
    ///     for example `onmicrosoft.com`.
    ///   - lists: consumer, disposable and relay domains; no rule may name a listed domain, or a
    ///     domain below it.
    ///   - organization: what counts if the provider names an organisation.
    ///   - mailbox: which addresses are accepted.
    /// - Throws: ``EmailPolicyError``, which says what to write instead.
    public init(
        allowing rules: [EmailDomainRule], publicSuffixes: some PublicSuffixSource = .builtIn,
        lists: EmailDomainLists = EmailDomainLists(),
        organization: OrganizationEvidenceRule = .organizationAlone,
        mailbox: Mailbox.Options = Mailbox.Options()
    ) throws(EmailPolicyError) {
        self.rules = try DomainRuleSet(rules, publicSuffixes: publicSuffixes, lists: lists)
        self.lists = lists
        self.organization = organization
        self.mailbox = mailbox
    }

    /// The verdict on a verified token's claims. The verdicts are in the order of ``EmailVerdict``.
    ///
    /// With evidence ``EmailClaims/Evidence/verifiedAddress`` the address's domain counts. With
    /// ``EmailClaims/Evidence/organization(domain:)`` the organisation's counts, by
    /// ``OrganizationEvidenceRule``; a valid address is still required.
    public func verdict(for claims: EmailClaims) -> EmailVerdict {
        guard let text = claims.address else { return .malformed(MailboxParser.noAddress) }
        do {
            let address = try Mailbox(text, options: mailbox).domain
            let organizationDomain = try Self.organizationDomain(in: claims.evidence)
            let listVerdict = lists.verdict(on: address)
            if claims.isPrivateRelay || listVerdict == .privateRelay { return .privateRelay }
            guard claims.evidence != .none else { return .unverified }
            if let listVerdict { return listVerdict }
            guard let organizationDomain else { return rules.verdict(on: address) }
            let organizationVerdict = verdict(on: organizationDomain)
            if organization == .organizationAndAddress, organizationVerdict.isAllowed,
                !rules.verdict(on: address).isAllowed
            {
                return .notAllowed
            }
            return organizationVerdict
        } catch {
            return .malformed(error)
        }
    }

    /// The verdict of the lists, or of the rules if no list names the domain.
    private func verdict(on domain: EmailDomain) -> EmailVerdict {
        lists.verdict(on: domain) ?? rules.verdict(on: domain)
    }

    /// The verdict on unverified text, for example from a form, an import or a command line.
    ///
    /// Here ``EmailVerdict/allowed(_:)`` only says that the address is *written* acceptably. The
    /// user who typed it may not control it: send a code to it, or verify a token, before granting
    /// access.
    public func verdict(forUnverifiedText text: String) -> EmailVerdict {
        do {
            return verdict(on: try Mailbox(text, options: mailbox).domain)
        } catch {
            return .malformed(error)
        }
    }

    /// The domain of the organisation that the provider names; nil if none.
    private static func organizationDomain(
        in evidence: EmailClaims.Evidence
    ) throws(MailboxError) -> EmailDomain? {
        guard case .organization(let text) = evidence else { return nil }
        do {
            return try EmailDomain(text)
        } catch {
            throw MailboxError(
                .invalidOrganization,
                underlying: error,
                "The organisation that the provider names is not a domain. \(messageOf: error)")
        }
    }
}
