// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The rules of a ``BusinessEmailPolicy``, read and checked: which domains are allowed, alone or
/// with the names below them. With the rule `.includeSubdomains("company.example")`, the verdict on
/// `mail.company.example` is `.allowed`.
///
/// A *public suffix* is a domain below which anyone can register a name, such as `com` or `co.uk`.
struct DomainRuleSet: Sendable {
    /// The domains that are allowed themselves.
    private let exact: Set<EmailDomain>
    /// The domains of which the names below them are allowed.
    private let parents: [EmailDomain]
    private let publicSuffixes: any PublicSuffixSource

    init(
        _ rules: [EmailDomainRule], publicSuffixes: some PublicSuffixSource, lists: EmailDomainLists
    ) throws(EmailPolicyError) {
        guard !rules.isEmpty else {
            throw EmailPolicyError(
                .noDomains,
                "No domain is allowed: every address would be refused. Name one: company.example")
        }
        var exact: Set<EmailDomain> = []
        var parents: [EmailDomain] = []
        for rule in rules {
            let domain = try rule.domain()
            try Self.check(domain, publicSuffixes: publicSuffixes, lists: lists)
            switch rule {
            case .exact: exact.insert(domain)
            case .onlySubdomains: parents.append(domain)
            case .includeSubdomains:
                exact.insert(domain)
                parents.append(domain)
            }
        }
        self.exact = exact
        self.parents = parents
        self.publicSuffixes = publicSuffixes
    }

    /// `.allowed` with the domain, or `.notAllowed`.
    func verdict(on domain: EmailDomain) -> EmailVerdict {
        if exact.contains(domain) { return .allowed(domain) }
        return parents.contains { isBelow($0, domain: domain) } ? .allowed(domain) : .notAllowed
    }

    /// Whether the domain is below `parent` and has the same owner. A public suffix between the two
    /// (`*.kobe.jp` below `kobe.jp`, or a company's domain for its customers) means that anyone can
    /// get a name there, and so does a shared domain.
    private func isBelow(_ parent: EmailDomain, domain: EmailDomain) -> Bool {
        guard domain.isSubdomain(of: parent) else { return false }
        // The domain itself, and the names between it and the parent.
        for name in domain.suffixes.map(EmailDomain.init(trusted:)) {
            guard name.isSubdomain(of: parent) else { break }
            if publicSuffixes.isPublicSuffix(name) || SharedDomains.contain(name) { return false }
        }
        return true
    }

    /// Refuses the domain of a rule if anyone can get a name below it, or if it is listed.
    private static func check(
        _ domain: EmailDomain, publicSuffixes: some PublicSuffixSource, lists: EmailDomainLists
    ) throws(EmailPolicyError) {
        guard !publicSuffixes.isPublicSuffix(domain) else {
            throw EmailPolicyError(
                .publicSuffix,
                "\(shown: domain.text) is a public suffix: anyone can get a name below it. Name the company's own domain."
            )
        }
        // Such as onmicrosoft.com.
        guard !SharedDomains.contain(domain) else {
            throw EmailPolicyError(
                .publicSuffix,
                "\(shown: domain.text) gives names to anyone who asks. Name the company's own domain, or its name there."
            )
        }
        if let entry = lists.privateRelay.entry(for: domain) {
            throw EmailPolicyError(
                .relayDomain,
                "\(shown: domain.text) cannot be allowed: \(shown: entry.text) is a private relay.")
        }
        if let entry = lists.disposable.entry(for: domain) {
            throw EmailPolicyError(
                .disposableDomain,
                "\(shown: domain.text) cannot be allowed: the list of disposable domains has \(shown: entry.text). If it is wrong, remove the entry."
            )
        }
        if let entry = lists.consumer.entry(for: domain) {
            throw EmailPolicyError(
                .consumerDomain,
                "\(shown: domain.text) cannot be allowed: the list of consumer domains has \(shown: entry.text). If it is wrong, remove the entry."
            )
        }
    }
}

extension EmailDomainRule {
    /// The text of the rule, as written.
    var text: String {
        switch self {
        case .exact(let text), .includeSubdomains(let text), .onlySubdomains(let text): text
        }
    }

    /// The domain of the rule.
    func domain() throws(EmailPolicyError) -> EmailDomain {
        let octets = Array(text.utf8)
        if octets.contains(ASCII.at) {
            throw EmailPolicyError(
                .atSign,
                "A rule is a domain, without the '@' and what stands in front of it: company.example"
            )
        }
        if octets.first == ASCII.dot || octets.contains(ASCII.asterisk) {
            throw EmailPolicyError(
                .wildcard,
                "A rule is a domain: company.example. In a list '*.company.example' is every name below it; in code write .includeSubdomains(\"company.example\")."
            )
        }
        do {
            return try EmailDomain(octets: octets[...])
        } catch {
            switch error.code {
            case .nonASCII:
                throw EmailPolicyError(
                    .nonASCII, underlying: error,
                    "A rule is in ASCII: write the domain's form that begins with xn--.")
            case .singleLabel:
                throw EmailPolicyError(
                    .singleLabel, underlying: error,
                    "A rule has two labels at least: company.example, not company.")
            // Any further fault is the same in a rule as in an address.
            default:
                throw EmailPolicyError(
                    .invalidDomain, underlying: error, "A rule is not a domain. \(messageOf: error)"
                )
            }
        }
    }
}
