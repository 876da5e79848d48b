// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import Testing

/// Checks that applications use: an allow-list by `hasSuffix`, and two attempts to fix it that
/// introduce other mistakes.
enum NaiveCheck {
    static func suffix(_ text: String, _ domain: String) -> Bool { text.hasSuffix("@" + domain) }
    static func lowercasedSuffix(_ text: String, _ domain: String) -> Bool {
        text.lowercased().hasSuffix("@" + domain)
    }
    static func suffixWithoutAtSign(_ text: String, _ domain: String) -> Bool {
        text.hasSuffix(domain)
    }
}

@Suite("Business domains, compared with hasSuffix")
struct BusinessDomainVectorTests {
    static let figures = Figure.rows("business-domain")

    @Test("The naive checks give the recorded answers", arguments: figures)
    func naive(_ figure: Figure) throws {
        let text = try #require(figure["text"])
        let domain = try #require(figure["allow"])
        let answers = [
            NaiveCheck.suffix, NaiveCheck.lowercasedSuffix, NaiveCheck.suffixWithoutAtSign,
        ]
        .map { $0(text, domain) ? "Y" : "N" }.joined()
        #expect(answers == figure["naive"])
    }

    @Test("Our policy gives the right answer", arguments: figures)
    func ours(_ figure: Figure) throws {
        let text = try #require(figure["text"])
        let policy = try BusinessEmailPolicy(allowing: [.exact(try #require(figure["allow"]))])
        let expected = try #require(figure["verdict"])
        let verified = EmailClaims(address: text, evidence: .verifiedAddress, isPrivateRelay: false)
        for verdict in [policy.verdict(forUnverifiedText: text), policy.verdict(for: verified)] {
            #expect(verdict.isAllowed == figure.isLabelledValid)
            switch verdict {
            case .malformed(let error): #expect(error.code.rawValue == expected)
            default: #expect(verdict.name == expected)
            }
        }
    }

    @Test("The naive checks are wrong as often as recorded")
    func counts() {
        let rows = Self.figures
        func isWrong(_ figure: Figure, _ index: Int) -> Bool {
            let answer = figure["naive"].map { Array($0)[index] == "Y" }
            return answer != figure.isLabelledValid
        }
        #expect(rows.count == 95)
        let wrong = (0..<3).map { index in rows.count { isWrong($0, index) } }
        print(
            "business domains: \(rows.count) texts; wrong: hasSuffix \(wrong[0]), with lowercased() \(wrong[1]), without the '@' \(wrong[2])"
        )
        #expect(wrong.allSatisfy { $0 > 40 })
    }

    @Test(
        "A rule outside ASCII is refused, since canonical equivalence would match other spellings"
    )
    func canonicalEquivalence() {
        #expect(NaiveCheck.suffix("user@mu\u{308}nchen.example", "m\u{fc}nchen.example"))
        #expect(throws: EmailPolicyError(.nonASCII, "")) {
            _ = try BusinessEmailPolicy(allowing: ["m\u{fc}nchen.example"])
        }
    }
}
