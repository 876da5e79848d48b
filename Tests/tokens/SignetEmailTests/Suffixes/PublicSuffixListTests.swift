// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import Testing

@Suite("Public suffix list")
struct PublicSuffixListTests {
    private static let text = """
        // ===BEGIN ICANN DOMAINS===
        com
        uk
        co.uk
        *.ck
        !www.ck
        公司.cn  what follows white space does not count
        // ===END ICANN DOMAINS===
        // ===BEGIN PRIVATE DOMAINS===
        github.io
        *.compute.example
        deep.city.compute.example
        !city.compute.example
        // ===END PRIVATE DOMAINS===
        """

    @Test(
        "Rules, wildcards and exceptions match as the algorithm says",
        arguments: [
            ("company.com", "com", "company.com"), ("a.company.com", "com", "company.com"),
            ("company.co.uk", "co.uk", "company.co.uk"), ("co.uk", "co.uk", nil),
            ("foo.ck", "foo.ck", nil), ("a.foo.ck", "foo.ck", "a.foo.ck"),
            ("www.ck", "ck", "www.ck"),
            ("a.www.ck", "ck", "www.ck"), ("github.io", "github.io", nil),
            ("company.unlisted", "unlisted", "company.unlisted"),
            ("xn--55qx5d.cn", "xn--55qx5d.cn", nil),
            ("a.xn--55qx5d.cn", "xn--55qx5d.cn", "a.xn--55qx5d.cn"),
            ("a.compute.example", "a.compute.example", nil),
            // An exception wins over a longer rule.
            ("x.deep.city.compute.example", "compute.example", "city.compute.example"),
        ] as [(String, String, String?)])
    func algorithm(name: String, suffix: String, registrable: String?) throws {
        let list = try PublicSuffixList(text: Self.text)
        let domain = try EmailDomain(name)
        let match = list.match(domain)
        #expect(match.suffix == suffix)
        #expect(match.registrableDomain?.text == registrable)
        #expect(list.isPublicSuffix(domain) == (registrable == nil))
    }

    @Test("Line ends, tabs and texts without sections are read")
    func forms() throws {
        let list = try PublicSuffixList(
            text: "\u{feff}// a comment\r\n\r\n com\t\r\nCo.Uk\r\n*\r\n")
        #expect(list.ruleCount == 2)
        #expect(try list.isPublicSuffix(EmailDomain("co.uk")))
    }

    @Test(
        "A malformed list is refused with its line",
        arguments: [
            ("", .empty, nil), ("// nothing\n", .empty, nil), ("*\n", .empty, nil),
            ("<!DOCTYPE html>\n<html>", .line, 1), ("com\nco..uk\n", .line, 2),
            ("com\n.uk", .line, 2),
            ("uk.", .line, 1), ("!uk", .line, 1), ("*.", .line, 1), ("!", .line, 1),
            ("a.*.uk", .line, 1),
            ("!*.uk", .line, 1), ("*.*.uk", .line, 1), ("com\n\nfoo_bar.com", .line, 3),
            ("a\u{0}.com", .line, 1),
            (String(repeating: "a", count: 64) + ".com", .line, 1),
            (String(repeating: "a.", count: 130) + "com", .line, 1),
            (String(repeating: "\u{516c}", count: 400), .line, 1),
            ("// ===BEGIN ICANN DOMAINS===\ncom\n", .truncated, nil),
            ("// ===BEGIN ICANN DOMAINS===\ncom\n// ===END ICANN DOMAINS===\n", .truncated, nil),
            ("com\n// ===END ICANN DOMAINS===\n", .line, 2),
            ("// ===BEGIN ICANN DOMAINS===\n// ===BEGIN PRIVATE DOMAINS===\n", .line, 2),
        ] as [(String, EmailListError.Code, Int?)])
    func refusals(text: String, code: EmailListError.Code, line: Int?) {
        #expect(throws: EmailListError(code, line: line, "")) {
            _ = try PublicSuffixList(text: text)
        }
    }

    @Test("Invalid UTF-8 and too many bytes are refused")
    func octets() {
        #expect(throws: EmailListError(.encoding, line: 2, "")) {
            _ = try PublicSuffixList(octets: Array("com\n".utf8) + [0xff, 0xfe])
        }
        #expect(throws: EmailListError(.tooLarge, "")) {
            _ = try PublicSuffixList(
                octets: [UInt8](repeating: 0x0a, count: PublicSuffixList.maximumByteCount + 1))
        }
    }

    @Test("A requested section suffices alone")
    func oneSection() throws {
        let text = "// ===BEGIN ICANN DOMAINS===\ncom\n// ===END ICANN DOMAINS===\n"
        #expect(try PublicSuffixList(text: text, sections: .icann).ruleCount == 1)
        #expect(throws: EmailListError(.empty, "")) {
            _ = try PublicSuffixList(
                text: "// ===BEGIN PRIVATE DOMAINS===\na.b\n// ===END PRIVATE DOMAINS===\n"
                    + "// ===BEGIN ICANN DOMAINS===\n// ===END ICANN DOMAINS===\n", sections: .icann
            )
        }
    }

    @Test(
        "Labels are encoded as in RFC 3492, section 7.1",
        arguments: [
            (
                "\u{4ed6}\u{4eec}\u{4e3a}\u{4ec0}\u{4e48}\u{4e0d}\u{8bf4}\u{4e2d}\u{6587}",
                "ihqwcrb4cv8a8dqg056pqjye"
            ),
            (
                "\u{644}\u{64a}\u{647}\u{645}\u{627}\u{628}\u{62a}\u{643}\u{644}\u{645}\u{648}\u{634}\u{639}\u{631}\u{628}\u{64a}\u{61f}",
                "egbpdaj6bu4bxfgehfvwxn"
            ),
            ("\u{305d}\u{306e}\u{30b9}\u{30d4}\u{30fc}\u{30c9}\u{3067}", "d9juau41awczczp"),
            ("\u{30d1}\u{30d5}\u{30a3}\u{30fc}de\u{30eb}\u{30f3}\u{30d0}", "de-jg4avhby1noc0d"),
            ("-> $1.00 <-", "-> $1.00 <--"), ("m\u{fc}nchen", "mnchen-3ya"),
            ("\u{10ffff}", "dn32g"),
        ])
    func punycode(label: String, encoded: String) throws {
        #expect(Punycode.encode(label.unicodeScalars) == Array(encoded.utf8))
    }

    @Test("A label of more than 63 characters is not encoded, whatever it would become")
    func longLabels() {
        for character in ["\u{fc}", "\u{10ffff}", " "] {
            let longest = String(repeating: character, count: 63)
            #expect(Punycode.encode(longest.unicodeScalars) != nil)
            #expect(Punycode.encode((longest + character).unicodeScalars) == nil)
        }
    }
}
