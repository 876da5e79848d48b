// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import ICUBridge
import SignetEmail
import SignetEmailIDNA
import Testing

struct ICUDomainConverterTests {
    let converter: ICUDomainConverter

    init() throws {
        converter = try ICUDomainConverter()
    }

    @Test("Error codes keep their texts")
    func code() {
        #expect(ICUError.Code.unavailable.rawValue == "unavailable")
        #expect("\(ICUError(.unavailable, "No."))" == "unavailable: No.")
    }

    /// The pitfall that the documentation warns of: the same domain in another spelling.
    @Test(arguments: [
        "\u{FF59}ourcompany.example",  // full-width y
        "\u{1D432}ourcompany.example",  // mathematical bold y
        "your\u{AD}company.example",  // soft hyphen
        "your\u{200B}company.example",  // zero-width space
        "your\u{2060}company.example",  // word joiner
        "yourcompany\u{3002}example",  // ideographic full stop
        "yourcompany\u{FF0E}example", "yourcompany\u{FF61}example",
        "YOURCOMPANY\u{3002}EXAMPLE",
    ])
    func mapsToTheAllowedDomain(_ text: String) throws {
        #expect(converter.asciiDomain(text) == "yourcompany.example")
        let options = Mailbox.Options(domainConverter: converter)
        #expect(
            try Mailbox("ann@\(text)", options: options).domain
                == EmailDomain("yourcompany.example"))
        // No one gets this without asking for it.
        #expect(throws: MailboxError(.nonASCII, "")) { try Mailbox("ann@\(text)") }
    }

    @Test func mapsTheKelvinSignAndTheLongS() {
        #expect(converter.asciiDomain("ban\u{212A}.example") == "bank.example")
        #expect(converter.asciiDomain("bu\u{17F}iness.example") == "business.example")
    }

    /// A letter of another script is another letter.
    @Test(arguments: [
        ("your\u{441}ompany.example", "xn--yourompany-fwi.example"),  // Cyrillic с
        ("y\u{3BF}urcompany.example", "xn--yurcompany-hqh.example"),  // Greek omicron
        ("yourcompan\u{443}.example", "xn--yourcompan-7wi.example"),  // Cyrillic у
    ])
    func doesNotMapToTheAllowedDomain(_ text: String, _ ascii: String) throws {
        #expect(converter.asciiDomain(text) == ascii)
        let options = Mailbox.Options(domainConverter: converter)
        #expect(
            try Mailbox("ann@\(text)", options: options).domain
                != EmailDomain("yourcompany.example"))
    }

    /// libidn2 deletes such characters under STD3 rules, and turns the rest into the allowed
    /// domain.
    @Test(arguments: [
        "your company.example", "your\"company.example", "your_company.example",
        "your\0company.example",
        "your\ncompany.example", "your@company.example", "your/company.example",
        "your\u{7F}company.example",
        "yourcompany.example\0", "your\u{FFFD}company.example", "your\u{202E}company.example",
        "your\u{200D}company.example", "your\u{200C}company.example",
        "your\u{E0041}company.example",
        "-yourcompany.example", "yourcompany-.example", "yo--urcompany.example",
        "", ".", "yourcompany..example", ".yourcompany.example", "yourcompany.example.",
        "yourcompany.example\u{3002}", "xn--yourcompany-.example", "xn--.example", "xn--a.example",
        "xn--\u{FC}.example",
    ])
    func refuses(_ text: String) {
        #expect(converter.asciiDomain(text) == nil)
    }

    @Test func refusesTheCapitalSharpSWhereItsMappingIsOld() {
        let expected = ICUInformation.unicode >= .init(15, 1) ? "xn--fa-hia.example" : nil
        #expect(converter.asciiDomain("FA\u{1E9E}.example") == expected)
        #expect(converter.asciiDomain("fa\u{DF}.example") == "xn--fa-hia.example")
    }

    @Test func keepsTheLimitsOfTheDNS() {
        let label = String(repeating: "a", count: 63)
        #expect(converter.asciiDomain(label) == label)
        #expect(converter.asciiDomain(label + "a") == nil)
        let longest = [label, label, label, String(repeating: "a", count: 61)].joined(
            separator: ".")
        #expect(longest.utf8.count == 253)
        #expect(converter.asciiDomain(longest) == longest)
        #expect(converter.asciiDomain(longest + "a") == nil)
        #expect(converter.asciiDomain(longest + ".a") == nil)
        // As long as this when converted: 63 octets and 64.
        let ideographs = String(repeating: "\u{5B57}", count: 57)
        #expect(converter.asciiDomain(ideographs)?.utf8.count == 63)
        #expect(converter.asciiDomain(ideographs + "\u{5B57}") == nil)
    }

    @Test func refusesOverlongInputUnread() {
        let padding = String(repeating: "\u{AD}", count: 2_048)
        #expect(converter.asciiDomain("a.example" + padding.dropLast(5)) == "a.example")
        #expect(converter.asciiDomain("a.example" + padding) == nil)
        #expect(converter.asciiDomain(String(repeating: "\u{5B57}", count: 1_000_000)) == nil)
    }

    /// Whatever the input, the output is a domain's ASCII form, and converts to itself.
    @Test func resultsAreASCII() {
        var generator = SplitMix(state: 0x5167_6e65)
        var converted = 0
        for _ in 0..<20_000 {
            let text = randomName(&generator)
            guard let ascii = converter.asciiDomain(text) else { continue }
            converted += 1
            let isClean = ascii.utf8.allSatisfy { octet in
                (0x61...0x7a).contains(octet) || (0x30...0x39).contains(octet) || octet == 0x2d
                    || octet == 0x2e
            }
            if !isClean || ascii.utf8.count > 253 || converter.asciiDomain(ascii) != ascii {
                Issue.record("\(text.unicodeScalars.map(\.value)) becomes \(ascii)")
            }
        }
        #expect(converted > 1_000)
    }

    @Test func isSharedByManyTasks() async {
        let converter = converter
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    (0..<500).allSatisfy { number in
                        converter.asciiDomain("b\u{FC}cher\(number).example")?.hasPrefix(
                            "xn--bcher")
                            == true
                    }
                }
            }
            for await succeeded in group { #expect(succeeded) }
        }
    }

    @Test func saysWhatIsLoaded() {
        #expect(ICUDomainConverter.unicodeVersion.contains("."))
        #expect(ICUDomainConverter.libraryVersion.contains("."))
    }

    private func randomName(_ generator: inout SplitMix) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 1...12, using: &generator) {
            let ranges: [ClosedRange<UInt32>] = [
                0x20...0x7e, 0x61...0x7a, 0x61...0x7a, 0x2d...0x2e, 0xa0...0x24f, 0x370...0x5ff,
                0x2000...0x206f,
                0x3000...0x30ff, 0x4e00...0x9fff, 0xfe00...0xffff, 0x1d400...0x1d7ff, 0...0x10_ffff,
            ]
            let range = ranges[Int.random(in: 0..<ranges.count, using: &generator)]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) {
                text.append(scalar)
            }
        }
        return String(text)
    }
}

/// The same numbers at every run.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
