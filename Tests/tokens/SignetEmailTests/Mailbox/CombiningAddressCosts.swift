// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import TestSupport
import Testing

/// A run of combining characters in each part of an address, and in the lists that policies read.
@Suite("The cost of combining characters in addresses and policies")
struct CombiningAddressCosts {
    @Test("A run of 8 KiB, or what fits, costs what its bytes cost", arguments: members)
    func small(_ member: HostileMember) throws { try member.expectLinear(byteCount: 8_192) }

    @Test("A run of 64 or 512 KiB costs what its bytes cost", .tags(.addresses), arguments: members)
    func large(_ member: HostileMember) throws { try member.expectLinearWhenLarge() }

    private static let places = [
        ("local part", "%@company.example"), ("label", "user@a%.example"),
        ("domain", "user@company.example%"),
        ("quoted local part", "\"%\"@company.example"), ("all of it", "%"),
    ]

    static let members: [HostileMember] =
        HostileMember.table("address", addresses(isUnicode: false), maximumByteCount: 200, places)
        + HostileMember.table(
            "address beyond ASCII", addresses(isUnicode: true), maximumByteCount: 900, places)
        + HostileMember.table(
            "list of domains", lists, maximumByteCount: 520_000,
            [("line", "a.example\n%\n"), ("label", "a%.example\n"), ("comment", "a.example # %\n")])
        + HostileMember.table(
            "list of suffixes", suffixes, maximumByteCount: 520_000,
            [("rule", "%\n"), ("label", "*.a%.example\n"), ("comment", "// %\n")]
        ) { Self.suffixFile($0) }

    private static func addresses(isUnicode: Bool) -> DocumentKind {
        var options = Mailbox.Options()
        if isUnicode {
            options.allowsUnicodeLocalPart = true
            options.allowsQuotedLocalPart = true
            options.domainConverter = WithoutSoftHyphens()
        }
        let mailbox = options
        let policy = try? BusinessEmailPolicy(allowing: ["company.example"], mailbox: mailbox)
        return DocumentKind { byteCount in
            // A soft hyphen is part of an address beyond ASCII, and of no domain that it becomes.
            let unseen = isUnicode ? String(repeating: "\u{AD}", count: byteCount / 2) : ""
            return String(repeating: "a", count: min(byteCount, 64)) + "@\(unseen)company.example"
        } accepts: { address in
            policy?.verdict(forUnverifiedText: address).isAllowed == true
                && (try? Mailbox(address, options: mailbox)) != nil
        }
    }

    private static let lists = DocumentKind { byteCount in
        String(repeating: "domain.example\n", count: byteCount / 15)
    } accepts: {
        (try? DomainList(octets: Array($0.utf8))) != nil
    }

    private static let suffixes = DocumentKind { byteCount in
        suffixFile(String(repeating: "co.example\n", count: byteCount / 11))
    } accepts: {
        (try? PublicSuffixList(octets: Array($0.utf8))) != nil
    }

    private static func suffixFile(_ rules: String) -> String {
        "// ===BEGIN ICANN DOMAINS===\n\(rules)// ===END ICANN DOMAINS===\n"
            + "// ===BEGIN PRIVATE DOMAINS===\na.example\n// ===END PRIVATE DOMAINS===\n"
    }
}

/// Maps as much of Unicode as the good address needs, in time that is linear in the text.
private struct WithoutSoftHyphens: DomainConverter {
    func asciiDomain(_ text: String) -> String? {
        let rest = text.unicodeScalars.filter { $0 != "\u{AD}" }
        return rest.allSatisfy(\.isASCII) ? String(String.UnicodeScalarView(rest)) : nil
    }
}
