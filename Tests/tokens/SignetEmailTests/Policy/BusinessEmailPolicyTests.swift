// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import Testing

@Suite("Business e-mail policy")
struct BusinessEmailPolicyTests {
    private func policy(
        _ rules: [EmailDomainRule] = ["company.example", .includeSubdomains("partner.example")],
        lists: EmailDomainLists = EmailDomainLists(),
        organization: OrganizationEvidenceRule = .organizationAlone
    ) throws -> BusinessEmailPolicy {
        try BusinessEmailPolicy(allowing: rules, lists: lists, organization: organization)
    }

    private func claims(
        _ address: String?, _ evidence: EmailClaims.Evidence = .verifiedAddress, relay: Bool = false
    ) -> EmailClaims {
        EmailClaims(address: address, evidence: evidence, isPrivateRelay: relay)
    }

    @Test("exact matches the domain alone, includeSubdomains also whole labels below it")
    func rules() throws {
        let policy = try policy()
        let allowed = [
            "a@company.example", "a@partner.example", "a@mail.partner.example",
            "a@x.y.Partner.example",
        ]
        for text in allowed {
            let domain = try Mailbox(text).domain
            #expect(policy.verdict(for: claims(text)) == .allowed(domain))
        }
        for text in [
            "a@mail.company.example", "a@notpartner.example", "a@partner.example.evil.example",
            "a@example.com",
        ] {
            #expect(policy.verdict(for: claims(text)) == .notAllowed, "\(text)")
        }
    }

    @Test("Subdomains of a company match, those of its customers do not")
    func customers() throws {
        let list = try PublicSuffixList(
            text: "example\nsites.company.example\n*.apps.company.example")
        let policy = try BusinessEmailPolicy(
            allowing: [.includeSubdomains("company.example")], publicSuffixes: list)
        for text in ["a@company.example", "a@mail.company.example", "a@apps.company.example"] {
            #expect(policy.verdict(for: claims(text)).isAllowed, "\(text)")
        }
        for text in [
            "a@sites.company.example", "a@evil.sites.company.example",
            "a@x.evil.sites.company.example",
            "a@evil.apps.company.example", "a@x.evil.apps.company.example",
        ] {
            #expect(policy.verdict(for: claims(text)) == .notAllowed, "\(text)")
        }
    }

    @Test("Domains that strangers share are no rules, whatever list of suffixes is given")
    func shared() throws {
        let list = try PublicSuffixList(text: "com\namazonaws.org\n")
        for name in ["onmicrosoft.com", "s3.amazonaws.com", "developer.gserviceaccount.com"] {
            #expect(throws: EmailPolicyError(.publicSuffix, "")) {
                _ = try BusinessEmailPolicy(allowing: [.exact(name)], publicSuffixes: list)
            }
        }
        let policy = try BusinessEmailPolicy(
            allowing: [
                "company.onmicrosoft.com", "microsoft.com", .includeSubdomains("amazonaws.com"),
                .includeSubdomains("azure.com"),
            ], publicSuffixes: list)
        for name in ["company.onmicrosoft.com", "microsoft.com", "amazonaws.com", "mail.azure.com"]
        {
            #expect(policy.verdict(for: claims("a@\(name)")).isAllowed, "\(name)")
        }
        for name in [
            "other.onmicrosoft.com", "bucket.s3.amazonaws.com", "vm.westeurope.cloudapp.azure.com",
        ] {
            #expect(policy.verdict(for: claims("a@\(name)")) == .notAllowed, "\(name)")
        }
    }

    @Test("An address without evidence is unverified in any spelling")
    func unverified() throws {
        let policy = try policy()
        #expect(policy.verdict(for: claims("a@company.example", .none)) == .unverified)
        #expect(policy.verdict(for: claims("a@gmail.com", .none)) == .unverified)
        // The other call judges only the spelling, and its name says so.
        #expect(policy.verdict(forUnverifiedText: "a@company.example").isAllowed)
    }

    @Test("Verdicts are given in a fixed order")
    func order() throws {
        let policy = try policy()
        let relay = "x7k2@privaterelay.appleid.com"
        #expect(policy.verdict(for: claims(nil)) == .malformed(MailboxError(.empty, "")))
        #expect(
            policy.verdict(for: claims("a@b", .none, relay: true))
                == .malformed(MailboxError(.singleLabel, "")))
        #expect(policy.verdict(for: claims(relay, .none)) == .privateRelay)
        #expect(policy.verdict(for: claims(relay)) == .privateRelay)
        #expect(policy.verdict(for: claims("a@company.example", relay: true)) == .privateRelay)
        #expect(policy.verdict(for: claims("a@gmail.com")) == .consumer)
        #expect(policy.verdict(for: claims("a@mailinator.com")) == .disposable)
        #expect(policy.verdict(for: claims("a@x.mailinator.com")) == .disposable)
        #expect(policy.verdict(for: claims("a@other.example")) == .notAllowed)
        #expect(policy.verdict(forUnverifiedText: relay) == .privateRelay)
        #expect(policy.verdict(forUnverifiedText: "") == .malformed(MailboxError(.empty, "")))
    }

    @Test("The organisation's domain counts where the provider names one")
    func organization() throws {
        let policy = try policy()
        let company = EmailClaims.Evidence.organization(domain: "company.example")
        let domain = try EmailDomain("company.example")
        #expect(policy.verdict(for: claims("a@company.example", company)) == .allowed(domain))
        // An alias domain of the same organisation.
        #expect(policy.verdict(for: claims("a@alias.example", company)) == .allowed(domain))
        // The address's domain alone does not help an account of another or a listed organisation.
        #expect(
            policy.verdict(for: claims("a@company.example", .organization(domain: "evil.example")))
                == .notAllowed)
        #expect(
            policy.verdict(for: claims("a@company.example", .organization(domain: "gmail.com")))
                == .consumer)
        // A guest's account, and what is no domain or no address.
        #expect(policy.verdict(for: claims("a@gmail.com", company)) == .consumer)
        #expect(policy.verdict(for: claims("a@mailinator.com", company)) == .disposable)
        for text in [
            "", "company", "@company.example", "company.example.", "c\u{43e}mpany.example",
        ] {
            let verdict = policy.verdict(
                for: claims("a@company.example", .organization(domain: text)))
            #expect(verdict == .malformed(MailboxError(.invalidOrganization, "")), "\(text)")
        }
        #expect(policy.verdict(for: claims(nil, company)) == .malformed(MailboxError(.empty, "")))
        #expect(
            policy.verdict(for: claims("a@b@c", company))
                == .malformed(MailboxError(.severalAtSigns, "")))
    }

    @Test("The stricter rule also requires the address's domain to be allowed")
    func organizationAndAddress() throws {
        let policy = try policy(organization: .organizationAndAddress)
        let company = EmailClaims.Evidence.organization(domain: "company.example")
        #expect(policy.verdict(for: claims("a@company.example", company)).isAllowed)
        #expect(policy.verdict(for: claims("a@mail.partner.example", company)).isAllowed)
        #expect(policy.verdict(for: claims("a@alias.example", company)) == .notAllowed)
        #expect(policy.verdict(for: claims("a@company.example")).isAllowed)
    }

    @Test(
        "Invalid rules are refused",
        arguments: [
            ("@company.example", .atSign), ("user@company.example", .atSign),
            ("*.company.example", .wildcard),
            (".company.example", .wildcard), ("*", .wildcard), ("company", .singleLabel),
            ("localhost", .singleLabel),
            ("com", .singleLabel), ("", .invalidDomain), ("company.example.", .invalidDomain),
            ("comp any.example", .invalidDomain), ("company.example\n", .invalidDomain),
            ("https://company.example", .invalidDomain),
            ("company.example, other.example", .invalidDomain),
            ("192.0.2.1", .invalidDomain), ("c\u{43e}mpany.example", .nonASCII),
            ("\u{212a}iosk.example", .nonASCII),
            ("co.uk", .publicSuffix), ("CO.UK", .publicSuffix), ("github.io", .publicSuffix),
            ("gmail.com", .consumerDomain), ("Gmail.COM", .consumerDomain),
            ("mail.gmail.com", .consumerDomain),
            ("mailinator.com", .disposableDomain), ("x.yopmail.com", .disposableDomain),
            ("privaterelay.appleid.com", .relayDomain),
            ("onmicrosoft.com", .publicSuffix), ("OnMicrosoft.COM", .publicSuffix),
            ("mail.onmicrosoft.com", .publicSuffix), ("s3.amazonaws.com", .publicSuffix),
            ("s3-website.eu-west-3.amazonaws.com", .publicSuffix),
            ("compute-1.amazonaws.com", .publicSuffix),
            ("westeurope.cloudapp.azure.com", .publicSuffix), ("awsapps.com", .publicSuffix),
            ("iam.gserviceaccount.com", .publicSuffix), ("appspotmail.com", .publicSuffix),
        ] as [(String, EmailPolicyError.Code)])
    func configuration(text: String, code: EmailPolicyError.Code) {
        for rule in [EmailDomainRule.exact(text), .includeSubdomains(text), .onlySubdomains(text)] {
            do throws(EmailPolicyError) {
                _ = try BusinessEmailPolicy(allowing: ["company.example", rule])
                Issue.record("\(text) is accepted")
            } catch {
                #expect(error.code == code)
                #expect(error.message.hasSuffix(".") || error.message.contains("company.example"))
            }
        }
    }

    @Test("An empty domain list is an error, not a policy that rejects everyone")
    func noDomains() {
        #expect(throws: EmailPolicyError(.noDomains, "")) {
            _ = try BusinessEmailPolicy(allowing: [])
        }
    }

    @Test("A company's domain under a public suffix is allowed, and so is appleid.com")
    func notTooStrict() throws {
        let policy = try policy(["company.co.uk", "company.github.io", "appleid.com", "google.com"])
        #expect(policy.verdict(for: claims("a@company.co.uk")).isAllowed)
        #expect(policy.verdict(for: claims("a@other.co.uk")) == .notAllowed)
    }

    @Test(
        "A newer list that names a configured domain fails the new policy and keeps the old one"
    )
    func newerList() throws {
        let newer = try DomainList(text: "company.example\n")
        let lists = EmailDomainLists(disposable: DomainList.disposable.union(newer))
        #expect(throws: EmailPolicyError(.disposableDomain, "")) { _ = try policy(lists: lists) }
        // The entry can be removed by name.
        let mended = lists.disposable.removing([try EmailDomain("company.example")])
        #expect(
            try policy(lists: .init(disposable: mended)).verdict(for: claims("a@company.example"))
                .isAllowed)
        // A listed domain below an allowed one is refused; its parent is not.
        let below = try DomainList(text: "temporary.partner.example")
        let strict = try policy(lists: .init(disposable: below))
        #expect(strict.verdict(for: claims("a@temporary.partner.example")) == .disposable)
        #expect(strict.verdict(for: claims("a@x.temporary.partner.example")) == .disposable)
        #expect(strict.verdict(for: claims("a@mail.partner.example")).isAllowed)
    }

    @Test("A list that is turned off by name rejects nothing")
    func emptyLists() throws {
        let policy = try policy(["gmail.com"], lists: .init(consumer: .empty))
        #expect(policy.verdict(for: claims("a@gmail.com")).isAllowed)
        #expect(policy.verdict(for: claims("a@outlook.com")) == .notAllowed)
    }

    @Test("A verdict and its texts contain no local part")
    func texts() throws {
        let policy = try policy()
        for address in [
            "secret-person@company.example", "secret-person@b_c.example", "secret-person@gmail.com",
        ] {
            let verdict = policy.verdict(for: claims(address))
            #expect(!verdict.description.contains("secret"))
            #expect(!"\(verdict)".contains("secret") && !verdict.name.isEmpty)
        }
    }
}
