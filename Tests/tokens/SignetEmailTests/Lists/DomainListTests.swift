// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import Testing

@Suite("Domain lists")
struct DomainListTests {
    @Test("A list is read line by line")
    func reading() throws {
        let list = try DomainList(
            text:
                "# a comment\n\nOne.example\r\n  two.example\t# why\nxn--mnchen-3ya.example\none.example"
        )
        #expect(list.count == 3)
        for name in ["one.example", "mail.two.example", "a.b.xn--mnchen-3ya.example"] {
            #expect(try list.contains(EmailDomain(name)), "\(name)")
        }
        for name in ["notone.example", "one.example.org", "three.example"] {
            #expect(try !list.contains(EmailDomain(name)), "\(name)")
        }
        #expect(try list.entry(for: EmailDomain("mail.two.example")) == EmailDomain("two.example"))
    }

    @Test(
        "A malformed list is refused with its line",
        arguments: [
            ("", .empty, nil), ("# nothing\n\n", .empty, nil),
            ("one.example\nnot a domain\n", .line, 2),
            ("one.example\n\ncom\n", .line, 3), ("<!DOCTYPE html>\n", .line, 1),
            ("one.example,two.example", .line, 1),
            ("one.example\nm\u{fc}nchen.example", .line, 2), ("a@one.example", .line, 1),
            ("*", .line, 1), ("*.", .line, 1), ("*one.example", .line, 1),
            ("*.*.one.example", .line, 1), ("a.*.example", .line, 1), ("*.com", .line, 1),
            ("one.example\n*.co.uk", .line, 2), ("*.github.io // pages", .line, 1),
            ("/one.example", .line, 1), ("https://one.example", .line, 1),
            ("one.example\n\u{feff}two.example", .line, 2), ("one.example\u{0}", .line, 1),
            ("one.example\rtwo.example", .line, 1),
            ("{\"domains\": []}", .line, 1),
        ] as [(String, EmailListError.Code, Int?)])
    func refusals(text: String, code: EmailListError.Code, line: Int?) {
        #expect(throws: EmailListError(code, line: line, "")) { _ = try DomainList(text: text) }
    }

    @Test("An entry with '*.' lists every name below the domain, and not the domain")
    func wildcards() throws {
        let list = try DomainList(text: "*.one.example\n*.two.example\ntwo.example\n")
        #expect(list.count == 3)
        for name in ["a.one.example", "b.a.one.example", "two.example", "a.two.example"] {
            #expect(try list.contains(EmailDomain(name)), "\(name)")
        }
        for name in ["one.example", "notone.example", "a.notone.example", "one.example.org"] {
            #expect(try !list.contains(EmailDomain(name)), "\(name)")
        }
        #expect(
            try list.entry(for: EmailDomain("b.a.one.example")) == EmailDomain("one.example"))
        #expect(try list.entry(for: EmailDomain("one.example")) == nil)
        #expect(list.union(.empty) == list)
        let removed = try list.removing([EmailDomain("one.example"), EmailDomain("two.example")])
        #expect(removed == .empty)
    }

    @Test("No entry lists the names below a public suffix of the source that is given")
    func wildcardsOverSuffixes() throws {
        let suffixes = try PublicSuffixList(text: "example\nsites.example\n")
        #expect(throws: EmailListError(.line, line: 2, "")) {
            _ = try DomainList(
                text: "*.one.example\n*.sites.example\n", publicSuffixes: suffixes)
        }
        #expect(try DomainList(text: "*.sites.example").count == 1)
        do throws(EmailListError) {
            _ = try DomainList(text: "*.co.uk")
            Issue.record("a list of everybody's domains is accepted")
        } catch {
            #expect(error.message.contains("'*.co.uk'") && error.message.contains("public suffix"))
        }
    }

    @Test("Comments and a byte order mark are no part of a list")
    func comments() throws {
        let list = try DomainList(
            text: "\u{feff}one.example\r\n// two.example\r\n  // and\nthree.example // why\n"
                + "four.example# why\nfive.example//\n#\n")
        #expect(
            try list
                == DomainList(
                    ["one", "three", "four", "five"].map { try EmailDomain("\($0).example") }))
        #expect(throws: EmailListError(.empty, "")) { _ = try DomainList(text: "\u{feff}") }
    }

    @Test("A list with too many bytes or domains is refused")
    func limits() {
        let large = [UInt8](repeating: 0x0a, count: DomainList.maximumByteCount + 1)
        #expect(throws: EmailListError(.tooLarge, "")) { _ = try DomainList(octets: large) }
        // Empty lines are cheap.
        #expect(throws: EmailListError(.empty, "")) {
            _ = try DomainList(octets: Array(large.prefix(100_000)))
        }
    }

    @Test("Lists can be joined, and entries removed")
    func algebra() throws {
        let one = try DomainList(text: "one.example")
        let both = one.union(try DomainList(text: "two.example"))
        #expect(both.count == 2)
        #expect(try both.removing([EmailDomain("two.example")]) == one)
        #expect(DomainList.empty.count == 0)
        #expect(try DomainList([EmailDomain("one.example")]) == one)
    }

    @Test("The built-in lists are complete and do not overlap")
    func builtIn() throws {
        #expect(DomainList.consumer.count == 168)
        #expect(DomainList.disposable.count == 74)
        #expect(DomainList.privateRelay.count == 17)
        for name in [
            "gmail.com", "outlook.com", "yahoo.co.uk", "icloud.com", "proton.me", "gmx.de",
            "qq.com",
        ] {
            #expect(try DomainList.consumer.contains(EmailDomain(name)), "\(name)")
        }
        for name in [
            "google.com", "microsoft.com", "apple.com", "company.example", "yandex-team.ru",
        ] {
            let domain = try EmailDomain(name)
            #expect(
                !DomainList.consumer.contains(domain) && !DomainList.disposable.contains(domain),
                "\(name)")
            #expect(!DomainList.privateRelay.contains(domain), "\(name)")
        }
        let joined = DomainList.consumer.union(.disposable).union(.privateRelay)
        #expect(
            joined.count
                == DomainList.consumer.count + DomainList.disposable.count
                + DomainList.privateRelay.count)
    }
}
