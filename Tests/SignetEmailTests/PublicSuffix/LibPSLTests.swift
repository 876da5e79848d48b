// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetEmail
import SignetPublicSuffix
import Testing

struct LibPSLTests {
    private static func example() throws -> LibPSL {
        let url = try #require(
            Bundle.module.url(forResource: "example", withExtension: "dat", subdirectory: "Lists"))
        return try LibPSL(file: url.path)
    }

    /// A domain, whether it is a public suffix, and what is registered: each kind of rule.
    @Test(arguments: [
        ("co.uk", true, nil), ("company.co.uk", false, "company.co.uk"),
        ("mail.company.co.uk", false, "company.co.uk"), ("company.uk", false, "company.uk"),
        ("any.wild.example", true, nil), ("company.any.wild.example", false, "company.any.wild.example"),
        ("city.wild.example", false, "city.wild.example"),
        ("www.city.wild.example", false, "city.wild.example"),
        ("hosting.example", true, nil),
        ("ann.hosting.example", false, "ann.hosting.example"),
        // libpsl's own: what stands above a wildcard is a suffix as well.
        ("wild.example", true, nil),
        ("CO.UK", true, nil), ("xn--io0a7i.cn", true, nil), ("a.xn--io0a7i.cn", false, "a.xn--io0a7i.cn"),
        // No rule is about it: the last label is the suffix, which no domain of two labels is.
        ("company.unlisted", false, "company.unlisted"),
        ("a.b.company.unlisted", false, "company.unlisted"),
    ])
    func followsTheRules(_ text: String, _ isSuffix: Bool, _ registrable: String?) throws {
        let list = try Self.example()
        let domain = try EmailDomain(text)
        #expect(list.isPublicSuffix(domain) == isSuffix)
        #expect(list.registrableDomain(of: domain)?.text == registrable)
    }

    @Test func countsTheRules() throws {
        #expect(try Self.example().ruleCount == 6)
    }

    @Test(arguments: ["co.uk", "com.au", "github.io", "xn--55qx5d.cn"])
    func theListsOfThisMachineKnow(_ text: String) throws {
        let domain = try EmailDomain(text)
        #expect(try LibPSL().isPublicSuffix(domain))
        #expect(try LibPSL.builtIn().isPublicSuffix(domain))
    }

    @Test func aCompanyIsNoPublicSuffix() throws {
        let list = try LibPSL()
        #expect(try !list.isPublicSuffix(EmailDomain("company.example")))
        #expect(
            try list.registrableDomain(of: EmailDomain("a.b.company.co.uk"))
                == EmailDomain("company.co.uk"))
    }

    /// What it is for: no rule of a policy names a domain in which anybody has an address.
    @Test(arguments: ["co.uk", "github.io"])
    func aPolicyThatAllowsAPublicSuffixIsRefused(_ suffix: String) throws {
        let list = try LibPSL()
        #expect(throws: EmailPolicyError(.publicSuffix, "")) {
            try BusinessEmailPolicy(allowing: [.includeSubdomains(suffix)], publicSuffixes: list)
        }
    }

    @Test(arguments: ["/nowhere/list.dat", "", "/dev/null/list.dat", "\0", "/etc/passwd\0"])
    func aFileThatIsNotThereIsRefused(_ path: String) {
        #expect(throws: LibPSLError(.unreadable, "")) { try LibPSL(file: path) }
    }

    /// libpsl takes any line for a rule.
    @Test(arguments: [
        "\n\n", "// ===BEGIN ICANN DOMAINS===\n// ===END ICANN DOMAINS===\n",
        "<!doctype html>\n<title>Moved</title>\n<p>502 Bad Gateway\n", "co.uk\ngithub.io\n", "!com\n",
    ])
    func aFileThatIsNoListIsRefused(_ text: String) throws {
        try withFile(text) { path in
            #expect(throws: LibPSLError(.notAList, "")) { try LibPSL(file: path) }
        }
    }

    @Test func anEmptyFileIsRefused() throws {
        try withFile("") { path in
            #expect(throws: LibPSLError(.unreadable, "")) { try LibPSL(file: path) }
        }
    }

    @Test func aFolderIsNoList() {
        #expect(throws: LibPSLError.self) { try LibPSL(file: "/") }
    }

    @Test func errorsNameTheFile() {
        let error = #expect(throws: LibPSLError.self) { try LibPSL(file: "/nowhere/list.dat") }
        #expect(error?.description.contains("/nowhere/list.dat") == true)
    }

    @Test func isSharedByManyTasks() async throws {
        let list = try Self.example()
        let domain = try EmailDomain("www.company.co.uk")
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    (0..<500).allSatisfy { _ in
                        !list.isPublicSuffix(domain)
                            && list.registrableDomain(of: domain)?.text == "company.co.uk"
                    }
                }
            }
            for await succeeded in group { #expect(succeeded) }
        }
    }

    @Test func saysItsVersion() {
        #expect(LibPSL.libraryVersion.contains("."))
    }
}
