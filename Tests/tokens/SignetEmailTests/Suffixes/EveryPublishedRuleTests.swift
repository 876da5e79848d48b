// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import TestPrograms
import TestSupport
import Testing

/// Every rule of a published list, against the algorithm as publicsuffix.org words it, with Python's
/// Punycode as the second opinion on the ASCII form of a rule.
@Suite(
    "Public suffixes: every rule of a published list",
    .enabled(if: PublishedSuffixes.any != nil, "no list is on this machine"),
    .enabled(if: KeyServer.isAvailable || KeyServer.isRequired, "python3 is not here"))
struct EveryPublishedRuleTests {
    @Test("Each rule, the names above it and those below match as published")
    func everyRule() throws {
        let octets = try #require(PublishedSuffixes.any)
        let list = try PublicSuffixList(octets: octets)
        let written = String(decoding: octets, as: UTF8.self).split(separator: "\n")
            .map { $0.prefix { $0 != " " && $0 != "\t" } }
            .filter { !$0.isEmpty && !$0.hasPrefix("//") }
        let rules = Set(try Self.inASCII(written).map { $0.split(separator: ".") })
        #expect(rules.count > 9_000 && list.ruleCount == rules.count)
        var names = 0
        for rule in rules {
            let name = rule.joined(separator: ".").drop { $0 == "!" || $0 == "*" || $0 == "." }
            for below in ["", "a.", "b.a.", "c.b.a.", "xn--fa-hia."] {
                // A single label is not the domain of an address.
                guard let domain = try? EmailDomain(below + name) else { continue }
                names += 1
                let length = Self.suffixLength(of: domain.text.split(separator: "."), by: rules)
                let match = list.match(domain)
                #expect(match.suffix.split(separator: ".").count == length, "\(domain)")
                #expect(
                    match.registrableDomain?.text.split(separator: ".").count
                        == (length == domain.text.split(separator: ".").count ? nil : length + 1),
                    "\(domain)"
                )
            }
        }
        #expect(names > 4 * rules.count)
    }

    /// The rules with their labels outside ASCII encoded by Python, which has an encoder of its own.
    private static func inASCII(_ rules: [Substring]) throws -> [Substring] {
        let script = """
            import sys
            def ascii(label):
                if label.isascii(): return label
                mark, name = ("!", label[1:]) if label[0] == "!" else ("", label)
                return mark + "xn--" + name.encode("punycode").decode()
            for line in sys.stdin.buffer.read().decode().splitlines():
                print(".".join(map(ascii, line.split("."))))
            """
        let outcome = try ChildProgram.run(
            KeyServer.python ?? "python3", ["-c", script],
            input: Array(rules.joined(separator: "\n").utf8))
        let encoded = outcome.text.split(separator: "\n")
        #expect(outcome.status == 0 && encoded.count == rules.count, "\(outcome.complaint)")
        return encoded
    }

    /// How many labels the public suffix has: of all rules that match an exception prevails, less
    /// its first label, else the longest; without one it is `*`.
    private static func suffixLength(of labels: [Substring], by rules: Set<[Substring]>) -> Int {
        var longest = 1
        for length in 1...labels.count {
            let end = Array(labels.suffix(length))
            if rules.contains(["!" + end[0]] + end.dropFirst()) { return length - 1 }
            if rules.contains(end) || rules.contains(["*"] + end.dropFirst()) { longest = length }
        }
        return longest
    }
}
