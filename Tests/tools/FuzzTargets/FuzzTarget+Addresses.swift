// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail

extension FuzzTarget {
    /// A mailbox reads back from its text, and a policy allows what is at its domains alone.
    static let mailbox = FuzzTarget(
        "mailbox",
        seeds: [
            "ann@company.example", "Ann.O'Neil+x@MAIL.partner.example", "\"a b\"@x.example",
            "a%b@x.example", "é@x.example", "a@[127.0.0.1]", "ann@company.example.",
            "ann@xn--bcher-kva.example", "a@evilpartner.example", "\"a@b\\\"\"@x.partner.example",
        ]
    ) { input in
        var isAccepted = false
        for options in [Mailbox.Options(), lenient] {
            guard let mailbox = try? Mailbox(octets: input, options: options) else { continue }
            isAccepted = true
            let again = try hold("a mailbox's text is read") {
                try Mailbox(mailbox.text, options: options)
            }
            try hold(again == mailbox, "a mailbox reads back as itself")
            try hold(mailbox.text.utf8.count <= Mailbox.maximumByteCount, "a mailbox's length")
            let domain = try hold("a domain's text is read") {
                try EmailDomain(mailbox.domain.text)
            }
            try hold(domain == mailbox.domain, "a domain reads back as itself")
        }
        guard let text = String(validating: input, as: UTF8.self), let policy = try? policy.get(),
            policy.verdict(forUnverifiedText: text).isAllowed
        else { return isAccepted }
        let domain = input.split(separator: UInt8(ascii: "@")).last.map { $0.map(lowercased) } ?? []
        try hold(
            domain.elementsEqual("company.example".utf8)
                || domain.suffix(16).elementsEqual(".partner.example".utf8)
                || domain.elementsEqual("partner.example".utf8),
            "what is allowed is at an allowed domain")
        return true
    }

    /// A domain reads back from its text, in lower case, and belongs to itself alone.
    static let domain = FuzzTarget(
        "domain",
        seeds: [
            "company.example", "MAIL.Partner.Example", "a.b.c.co.uk", "xn--bcher-kva.example",
            "bücher.example", "x.example.", "1.2.3.4", "a-.example", "kawasaki.jp", "x.github.io",
        ]
    ) { input in
        guard let text = String(validating: input, as: UTF8.self),
            let domain = try? EmailDomain(text, trailingDot: .dns)
        else { return false }
        let again = try hold("a domain's text is read") { try EmailDomain(domain.text) }
        try hold(again == domain, "a domain reads back as itself")
        try hold(domain.text.utf8.allSatisfy { lowercased($0) == $0 }, "a domain is in lower case")
        try hold(!domain.isSubdomain(of: domain), "a domain is not below itself")
        try hold(
            domain.labels.joined(separator: ".").utf8.elementsEqual(domain.text.utf8), "labels")
        return true
    }

    private static let lenient = Mailbox.Options(
        allowsQuotedLocalPart: true, allowsRouting: true, allowsUnicodeLocalPart: true,
        trailingDot: .dns)

    private static let policy = Result {
        try BusinessEmailPolicy(allowing: [
            .exact("company.example"),
            .includeSubdomains("partner.example"),
        ])
    }

    private static func lowercased(_ octet: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(octet) ? octet | 0x20 : octet
    }
}
