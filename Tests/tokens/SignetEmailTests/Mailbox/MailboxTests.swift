// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import Testing

/// Answers for one domain; everything else is none.
struct OneDomain: DomainConverter {
    let unicode: String
    let ascii: String

    func asciiDomain(_ text: String) -> String? { text == unicode ? ascii : nil }
}

@Suite("Mailbox")
struct MailboxTests {
    @Test("A mailbox has a local part and a domain")
    func parts() throws {
        let mailbox = try Mailbox("First.Last+tag@Mail.Company.Example")
        #expect(mailbox.localPart == "First.Last+tag")
        #expect(mailbox.domain.text == "mail.company.example")
        #expect(mailbox.domain.labels == ["mail", "company", "example"])
        #expect(mailbox.text == "First.Last+tag@mail.company.example")
        #expect("\(mailbox)" == mailbox.text)
    }

    @Test("Local parts are compared byte by byte, domains without case")
    func equality() throws {
        let mailbox = try Mailbox("ann@company.example")
        #expect(try mailbox == Mailbox("ann@COMPANY.example"))
        #expect(try mailbox != Mailbox("Ann@company.example"))
        let options = Mailbox.Options(allowsUnicodeLocalPart: true)
        // Equal as Swift strings, but two addresses.
        #expect("\u{e9}" == "e\u{301}")
        #expect(
            try Mailbox("\u{e9}@company.example", options: options)
                != Mailbox("e\u{301}@company.example", options: options))
    }

    @Test(
        "The length limits are exact to the byte",
        arguments: [
            ("local part of 64", String(repeating: "a", count: 64) + "@company.example", nil),
            (
                "local part of 65", String(repeating: "a", count: 65) + "@company.example",
                .localPartTooLong
            ),
            ("label of 63", "a@" + String(repeating: "b", count: 63) + ".example", nil),
            ("label of 64", "a@" + String(repeating: "b", count: 64) + ".example", .labelTooLong),
            ("254 in all", address(count: 254), nil),
            ("255 in all", address(count: 255), .tooLong),
            ("a megabyte", String(repeating: "a", count: 1 << 20), .tooLong),
        ] as [(String, String, MailboxError.Code?)])
    func lengths(name: String, text: String, code: MailboxError.Code?) throws {
        #expect(Self.code(text) == code, "\(name)")
    }

    @Test(
        "Each rule has its own reason",
        arguments: [
            ("", .empty), ("a\u{0}@b.example", .controlCharacter),
            ("a\t@b.example", .controlCharacter),
            ("\u{e9}@b.example", .nonASCII), ("a@b\u{e9}.example", .nonASCII),
            ("\"a\"@b.example", .quotedLocalPart), ("a b@c.example", .space),
            ("a@b.example ", .space),
            ("a", .missingAtSign), ("a@b@c.example", .severalAtSigns),
            ("@b.example", .emptyLocalPart),
            ("a@", .emptyDomain), ("a(b)@c.example", .comment), ("a@(b)c.example", .comment),
            ("a%b@c.example", .routing), ("a!b@c.example", .routing),
            ("a,b@c.example", .localPartCharacter),
            ("a\"b@c.example", .localPartCharacter), ("a..b@c.example", .localPartDot),
            ("=?a?q?b?=@c.example", .encodedWord), ("a@[192.0.2.1]", .addressLiteral),
            ("a@[IPv6:::1]", .addressLiteral), ("a@b.example.", .trailingDot),
            ("a@b..example", .emptyLabel),
            ("a@.b.example", .emptyLabel), ("a@b.example..", .emptyLabel), ("a@.", .emptyLabel),
            ("a@b_c.example", .domainCharacter), ("a@b-.example", .labelHyphen),
            ("a@-b.example", .labelHyphen),
            ("a@localhost", .singleLabel), ("a@192.0.2.1", .numericTopLabel),
            ("a@b.1", .numericTopLabel),
        ] as [(String, MailboxError.Code)])
    func reasons(text: String, code: MailboxError.Code) {
        #expect(Self.code(text) == code)
    }

    @Test("An error does not repeat the address")
    func errorsAreQuiet() {
        for text in ["secret-person@b_c.example", "\"secret-person\"@b.example", "secret-person"] {
            do throws(MailboxError) {
                _ = try Mailbox(text)
                Issue.record("\(text) is accepted")
            } catch {
                #expect(!error.description.contains("secret"))
                #expect(!error.message.isEmpty)
            }
        }
    }

    @Test("Octets that are not UTF-8 are rejected with any options")
    func invalidOctets() {
        let options = Mailbox.Options(
            allowsQuotedLocalPart: true, allowsUnicodeLocalPart: true,
            domainConverter: OneDomain(unicode: "\u{fffd}.example", ascii: "company.example"))
        let local: [UInt8] = [0xff] + "@company.example".utf8
        let domain: [UInt8] = Array("a@".utf8) + [0xff] + ".example".utf8
        let quoted: [UInt8] = Array("\"".utf8) + [0xc3, 0x28] + "\"@company.example".utf8
        for octets in [local, domain, quoted] {
            #expect(throws: MailboxError(.nonASCII, "")) {
                _ = try Mailbox(octets: octets, options: options)
            }
        }
    }

    @Test("A trailing dot is refused, or dropped on request; two are refused")
    func trailingDot() throws {
        let options = Mailbox.Options(trailingDot: .dns)
        #expect(try Mailbox("a@company.example.", options: options) == Mailbox("a@company.example"))
        #expect(Self.code("a@company.example..", options) == .emptyLabel)
        #expect(Self.code("a@.", options) == .emptyLabel)
        #expect(Self.code("a@example.", options) == .singleLabel)
        // The dot does not count for the length.
        #expect(Self.code(Self.address(count: 254) + ".", options) == nil)
        #expect(Self.code(Self.address(count: 255) + ".", options) == .tooLong)
    }

    @Test(
        "Quoted local parts are read and written on request",
        arguments: [
            (#""ann"@b.example"#, "ann", "ann@b.example"),
            (#""ann lee"@b.example"#, "ann lee", #""ann lee"@b.example"#),
            (#""a@evil.example"@b.example"#, "a@evil.example", #""a@evil.example"@b.example"#),
            (#""a\"b\\c"@b.example"#, #"a"b\c"#, #""a\"b\\c"@b.example"#),
            (#""\a\.\b"@b.example"#, "a.b", "a.b@b.example"),
            (#"""@b.example"#, "", #"""@b.example"#),
            (#""a..b"@b.example"#, "a..b", #""a..b"@b.example"#),
        ])
    func quoted(text: String, local: String, written: String) throws {
        let options = Mailbox.Options(allowsQuotedLocalPart: true)
        let mailbox = try Mailbox(text, options: options)
        #expect(mailbox.localPart == local)
        #expect(mailbox.text == written)
        #expect(try Mailbox(mailbox.text, options: options) == mailbox)
    }

    @Test("A quoted local part obeys the other rules")
    func quotedLimits() {
        let options = Mailbox.Options(allowsQuotedLocalPart: true)
        let cases: [(String, MailboxError.Code)] = [
            (#""a"#, .malformedQuotedString), (#""a"b@c.example"#, .malformedQuotedString),
            (#""a"."b"@c.example"#, .malformedQuotedString),
            (#""a\"@c.example"#, .malformedQuotedString),
            (#""a"@b@c.example"#, .severalAtSigns), (#""a"@"#, .emptyDomain),
            (#""a" @b.example"#, .malformedQuotedString),
            (#""a"@ b.example"#, .space), (#""a%b"@c.example"#, .routing),
            ("\"a\nb\"@c.example", .controlCharacter),
            ("\"\u{e9}\"@c.example", .nonASCII), (#""=?a?q?b?="@c.example"#, .encodedWord),
            ("\"" + String(repeating: "a", count: 63) + "\"@c.example", .localPartTooLong),
        ]
        for (text, code) in cases { #expect(Self.code(text, options) == code, "\(text)") }
    }

    @Test("Routes and Unicode are accepted on request")
    func otherOptions() throws {
        #expect(
            try Mailbox("a%b!c@d.example", options: .init(allowsRouting: true)).localPart == "a%b!c"
        )
        let unicode = Mailbox.Options(allowsUnicodeLocalPart: true)
        #expect(try Mailbox("j\u{f6}rg@d.example", options: unicode).localPart == "j\u{f6}rg")
        // Symbols, invisible characters and compatibility forms stay out, and domains stay ASCII.
        for text in [
            "a\u{200b}@d.example", "a\u{202e}@d.example", "a\u{2028}@d.example",
            "a\u{a0}@d.example",
            "a\u{ff20}b@d.example", "a\u{37e}@d.example", "\u{212a}@d.example",
            "a\u{e000}@d.example",
            "a@d\u{f6}.example",
            // By category they are marks and letters.
            "a\u{34f}@d.example", "a\u{fe0f}@d.example", "a\u{e0100}@d.example",
            "a\u{115f}@d.example",
            "a\u{3164}@d.example", "a\u{ffa0}@d.example", "a\u{17b4}@d.example",
        ] {
            #expect(
                Self.code(text, unicode) == .nonASCII,
                "\(text.unicodeScalars.map { String($0.value, radix: 16) })")
        }
        #expect(
            Self.code(String(repeating: "\u{f6}", count: 33) + "@d.example", unicode)
                == .localPartTooLong)
    }

    @Test("A domain outside ASCII needs a converter, whose result is checked")
    func converter() throws {
        let name = "m\u{fc}nchen.example"
        func options(_ ascii: String) -> Mailbox.Options {
            Mailbox.Options(domainConverter: OneDomain(unicode: name, ascii: ascii))
        }
        #expect(
            try Mailbox("a@" + name, options: options("XN--mnchen-3ya.example")).domain.text
                == "xn--mnchen-3ya.example")
        let cases: [(String, MailboxError.Code)] = [
            (name, .nonASCII), ("a@b.example", .domainCharacter), ("localhost", .singleLabel),
            ("xn--mnchen-3ya.example.", .trailingDot), ("", .singleLabel),
            ("b.example\n", .domainCharacter),
            (String(repeating: "a.", count: 126) + "example", .domainTooLong),
        ]
        for (ascii, code) in cases.dropLast() where !ascii.isEmpty {
            #expect(Self.code("a@" + name, options(ascii)) == code, "\(ascii)")
        }
        #expect(Self.code("a@" + name, options("")) == .emptyLabel)
        #expect(
            Self.code("a@" + name, options(String(repeating: "a.", count: 126) + "ex"))
                == .domainTooLong)
        #expect(
            Self.code(
                String(repeating: "l", count: 64) + "@" + name,
                options(String(repeating: "a.", count: 100) + "ex"))
                == .tooLong)
        #expect(Self.code("a@other\u{fc}.example", options("b.example")) == .unconvertibleDomain)
        // The local part stays ASCII, and an ASCII domain is not passed to the converter.
        #expect(Self.code("\u{fc}@b.example", options("b.example")) == .nonASCII)
        #expect(
            try Mailbox("a@xn--b.example", options: options("c.example")).domain.text
                == "xn--b.example")
    }

    /// An address of this many octets, well formed but for its length.
    static func address(count: Int) -> String {
        var domain = ""
        while domain.utf8.count < count - 10 { domain += "b." }
        return String(repeating: "a", count: count - domain.utf8.count - 3) + "@" + domain + "cc"
    }

    private static func code(
        _ text: String, _ options: Mailbox.Options = Mailbox.Options()
    ) -> MailboxError.Code? {
        do throws(MailboxError) {
            _ = try Mailbox(text, options: options)
            return nil
        } catch {
            return error.code
        }
    }
}

@Suite("E-mail domain")
struct EmailDomainTests {
    @Test("A subdomain matches by whole labels")
    func subdomains() throws {
        let company = try EmailDomain("company.example")
        #expect(try EmailDomain("mail.company.example").isSubdomain(of: company))
        #expect(try EmailDomain("a.b.COMPANY.example").isSubdomain(of: company))
        for other in [
            "company.example", "notcompany.example", "my-company.example",
            "company.example.evil.example",
            "other.example", "b.example",
        ] {
            #expect(try !EmailDomain(other).isSubdomain(of: company), "\(other)")
        }
    }

    @Test("A domain is lower-case ASCII, and compared byte by byte")
    func text() throws {
        #expect(try EmailDomain("Company.EXAMPLE") == EmailDomain("company.example"))
        #expect(
            try EmailDomain("Company.EXAMPLE").hashValue == EmailDomain("company.example").hashValue
        )
        #expect(try EmailDomain("company.example.", trailingDot: .dns).text == "company.example")
        #expect(throws: MailboxError(.emptyDomain, "")) { _ = try EmailDomain("") }
        #expect(throws: MailboxError(.domainCharacter, "")) {
            _ = try EmailDomain("user@company.example")
        }
        #expect(throws: MailboxError(.nonASCII, "")) { _ = try EmailDomain("\u{212a}iosk.example") }
        #expect(throws: MailboxError(.domainTooLong, "")) {
            _ = try EmailDomain(String(repeating: "a.", count: 125) + "abcd")
        }
        #expect(try EmailDomain(String(repeating: "a.", count: 125) + "abc").text.utf8.count == 253)
    }
}
