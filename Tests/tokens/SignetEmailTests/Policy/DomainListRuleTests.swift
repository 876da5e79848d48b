// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import Testing

@Suite("Rules from a list")
struct DomainListRuleTests {
    @Test("Rules are domains separated by commas, with a star for the names below")
    func rules() {
        let rows: [(String, [EmailDomainRule])] = [
            ("company.example", ["company.example"]),
            (
                " company.example ,\t*.partner.example ",
                ["company.example", .onlySubdomains("partner.example")]
            ),
            ("*.a.example,b.example", [.onlySubdomains("a.example"), "b.example"]),
        ]
        for (text, rules) in rows { #expect(EmailDomainRule.rules(fromList: text) == rules) }
    }

    @Test("A star allows every name below the domain, and not the domain")
    func below() throws {
        let policy = try BusinessEmailPolicy(
            allowing: EmailDomainRule.rules(fromList: "*.partner.example"))
        for name in ["mail.partner.example", "a.mail.partner.example"] {
            #expect(policy.verdict(forUnverifiedText: "a@\(name)").isAllowed, "\(name)")
        }
        for name in ["partner.example", "notpartner.example"] {
            #expect(policy.verdict(forUnverifiedText: "a@\(name)") == .notAllowed, "\(name)")
        }
    }

    @Test(
        "A malformed domain is passed on to the policy, which refuses it",
        arguments: [
            "", ",", "company.example,", "company.example,,b.example", "*", "*.", "*.*.a.example",
            "@company.example", "a.example b.example", "*company.example", ".company.example",
            "company.example;b.example", "*.co.uk", "co.uk", "gmail.com", "com\u{0}pany.example",
        ])
    func refused(_ text: String) {
        #expect(throws: EmailPolicyError.self) {
            try BusinessEmailPolicy(allowing: EmailDomainRule.rules(fromList: text))
        }
    }
}
