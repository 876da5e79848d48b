// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import Testing

@Suite(
    "Public suffixes: the published test with the published list",
    .enabled(if: PublishedSuffixes.ofTheFigures != nil, "the list is not on this machine"))
struct PublicSuffixVectorTests {
    static let figures = Figure.rows("public-suffix-test")
    static let list = Result { try PublicSuffixList(octets: PublishedSuffixes.ofTheFigures ?? []) }

    @Test("The registrable domain is the published one", arguments: figures)
    func registrable(_ figure: Figure) throws {
        let list = try Self.list.get()
        let converter = PlainPunycode()
        let domain = try? EmailDomain(figure["text"] ?? "", converter: converter)
        let expected = try figure["domain"].map { try EmailDomain($0, converter: converter) }
        #expect(domain.flatMap(list.registrableDomain) == expected)
        if let domain {
            #expect(list.isPublicSuffix(domain) == (expected == nil))
        } else {
            // What has none: one label, a leading dot, an empty text.
            #expect(!figure.isLabelledValid)
        }
    }

    @Test("All vectors and the whole list are there")
    func counts() throws {
        #expect(Self.figures.count == 78)
        let list = try Self.list.get()
        #expect(list.ruleCount == 10_248)
        print("public suffixes: \(Self.figures.count) vectors, \(list.ruleCount) rules")
    }
}

@Suite(
    "Public suffixes: a published list of any date",
    .enabled(if: PublishedSuffixes.any != nil, "no list is on this machine"))
struct PublishedListTests {
    @Test("The sections are distinguished")
    func sections() throws {
        let octets = try #require(PublishedSuffixes.any)
        let all = try PublicSuffixList(octets: octets)
        let icann = try PublicSuffixList(octets: octets, sections: .icann)
        let pages = try EmailDomain("company.github.io")
        #expect(all.match(pages).suffix == "github.io")
        #expect(all.match(pages).sections == .private)
        #expect(icann.match(pages).suffix == "io")
        #expect(icann.match(pages).sections == .icann)
        #expect(
            try all.isPublicSuffix(EmailDomain("github.io"))
                && !icann.isPublicSuffix(EmailDomain("github.io")))
        #expect(all.ruleCount > icann.ruleCount && icann.ruleCount > 5_000)
    }

    @Test("Every built-in suffix is published")
    func builtIn() throws {
        let list = try PublicSuffixList(octets: try #require(PublishedSuffixes.any))
        for domain in BuiltInPublicSuffixes.domains {
            #expect(list.isPublicSuffix(domain), "\(domain)")
        }
        #expect(BuiltInPublicSuffixes.domains.count > 100)
    }

    @Test("A policy uses the list, with wildcards and exceptions")
    func companies() throws {
        let list = try PublicSuffixList(octets: try #require(PublishedSuffixes.any))
        let policy = try BusinessEmailPolicy(
            allowing: ["company.co.uk", "google.com"], publicSuffixes: list)
        #expect(policy.verdict(forUnverifiedText: "a@company.co.uk").isAllowed)
        for name in ["com.br", "vercel.app", "b.kobe.jp", "foo.ck"] {
            #expect(throws: EmailPolicyError(.publicSuffix, "")) {
                _ = try BusinessEmailPolicy(allowing: [.exact(name)], publicSuffixes: list)
            }
        }
        #expect(
            try !list.isPublicSuffix(EmailDomain("www.ck"))
                && !list.isPublicSuffix(EmailDomain("city.kobe.jp")))
    }

    @Test(
        "Debian's list is read",
        .enabled(if: PublishedSuffixes.debians != nil, "its package is not here"))
    func debian() throws {
        let list = try PublicSuffixList(octets: try #require(PublishedSuffixes.debians))
        #expect(list.ruleCount > 9_000)
        #expect(
            try list.registrableDomain(of: EmailDomain("a.b.company.co.uk"))?.text
                == "company.co.uk")
    }
}
