// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import PSLBridge
import SignetEmail
import SignetEmailIDNA
import SignetPublicSuffix
import TestSupport
import Testing

/// The published list and its test file, of one commit, read where they lie.
struct LibPSLListTests {
    private static let listName = "psl/public_suffix_list.txt"

    /// test_psl.txt: `checkPublicSuffix('name', 'registrable domain' or null);`
    @Test func everyCheckIsAsPublished() throws {
        guard let path = try PublishedVectors.path(Self.listName),
            let octets = try PublishedVectors.bytes("psl/test_psl.txt")
        else { return }
        let bridge = try #require(SuffixList.file(path))
        let list = try LibPSL(file: path)
        var checks = 0
        var asDomains = 0
        for line in String(decoding: octets, as: UTF8.self).split(separator: "\n")
        where line.hasPrefix("checkPublicSuffix(") {
            let arguments = line.dropFirst("checkPublicSuffix(".count).prefix { $0 != ")" }
                .split(separator: ",").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " '")) }
            try #require(arguments.count == 2, "\(line)")
            checks += 1
            // A missing name has no registrable domain, and no type of ours.
            guard arguments[0] != "null" else { continue }
            let expected = arguments[1] == "null" ? nil : arguments[1]
            #expect(bridge.registrableDomain(arguments[0].lowercased()) == expected, "\(line)")
            guard let domain = try? EmailDomain(arguments[0]) else { continue }
            asDomains += 1
            #expect(list.registrableDomain(of: domain)?.text == expected, "\(line)")
        }
        print(
            "test_psl: \(checks) checks with \(LibPSL.libraryVersion), \(asDomains) of them as domains of an address"
        )
        #expect(checks == 78)
    }

    /// Every rule of the list, asked of libpsl and of SignetEmail's own reader: the suffix itself,
    /// what stands above it, and names below it.
    ///
    /// They differ in one thing: to libpsl, what stands above a wildcard (`nom.br`, of `*.nom.br`)
    /// is a suffix as well; by the list's text it is not.
    @Test func libpslAndTheListAgreeOnEveryRule() throws {
        guard let path = try PublishedVectors.path(Self.listName),
            let octets = try PublishedVectors.bytes(Self.listName)
        else { return }
        let libpsl = try LibPSL(file: path)
        let list = try PublicSuffixList(octets: octets)
        // The third opinion on what a rule outside ASCII is in ASCII.
        let converter = try ICUDomainConverter()
        var rules = 0
        var names = 0
        var aboveWildcards = 0
        var suffixes = 0
        for line in String(decoding: octets, as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: true)
        {
            let rule = line.prefix { $0 != " " && $0 != "\t" }
            guard !rule.isEmpty, !rule.hasPrefix("//") else { continue }
            rules += 1
            let bare =
                rule.hasPrefix("*.")
                ? rule.dropFirst(2) : rule.hasPrefix("!") ? rule.dropFirst() : rule
            let ascii = try #require(converter.asciiDomain(String(bare)), "\(rule)")
            for prefix in ["", "a.", "b.a.", "c.b.a.", "xn--fa-hia."] {
                // One label is no domain of an address.
                guard let domain = try? EmailDomain(prefix + ascii) else { continue }
                names += 1
                if list.isPublicSuffix(domain) { suffixes += 1 }
                let isSuffix = libpsl.isPublicSuffix(domain)
                let registrable = libpsl.registrableDomain(of: domain)
                if isSuffix == list.isPublicSuffix(domain),
                    registrable == list.registrableDomain(of: domain)
                {
                    continue
                }
                if prefix.isEmpty, rule.hasPrefix("*."), isSuffix, registrable == nil {
                    aboveWildcards += 1
                } else {
                    Issue.record("\(domain): \(isSuffix), \(registrable?.text ?? "nil") (libpsl)")
                }
            }
        }
        print(
            "\(rules) rules, \(names) names asked, \(suffixes) of them public suffixes; libpsl and PublicSuffixList",
            "agree on all but \(aboveWildcards), which stand above a wildcard")
        #expect(rules > 10_000 && list.ruleCount == rules)
    }
}
