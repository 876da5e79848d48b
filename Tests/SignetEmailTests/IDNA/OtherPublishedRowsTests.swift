// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetEmailIDNA
import TestSupport
import Testing

/// Published rows for other options than ours, held to what they say about ours.
@Suite("Published rows for other options of UTS #46", .needsPublishedVectors)
struct OtherPublishedRowsTests {
    private struct File<Row: Decodable>: Decodable {
        let cases: [Row]
    }

    private func rows<Row: Decodable>(_ name: String, _ type: Row.Type) throws -> [Row] {
        let data = try #require(try PublishedVectors.bytes(name))
        return try JSONDecoder().decode(File<Row>.self, from: Data(data)).cases
    }

    private struct Sample: Decodable {
        let unicode: String
        let punycode: String
    }

    private struct Pair: Decodable {
        let decoded: String
        let encoded: String?
    }

    /// Punycode is one step of ToASCII: a label is compared, both ways, where it is one by the
    /// other rules too.
    @Test(arguments: ["idna/rfc3492_punycode.json", "idna/punycode_tests.json"])
    func labelsAreEncodedAsPublished(_ name: String) throws {
        let converter = try ICUDomainConverter()
        let pairs: [(String, String)]
        if name.contains("rfc3492") {
            pairs = try rows(name, Sample.self).map { ($0.unicode, $0.punycode) }
        } else {
            pairs = try rows(name, Pair.self).map { ($0.decoded, $0.encoded ?? "") }
        }
        var compared = 0
        for (label, punycode) in pairs {
            let ascii = "xn--\(punycode.lowercased())"
            // Without a character outside ASCII a label is not encoded; a space, a '$', a '>' are
            // no part of one (STD3).
            let isEncoded = label.unicodeScalars.contains { !$0.isASCII }
            let isLabel = punycode.utf8.allSatisfy { $0 == 0x2d || $0 >= 0x30 && $0 != 0x3e }
            guard isEncoded, isLabel, ascii.utf8.count <= 63 else {
                #expect(converter.asciiDomain(ascii) == nil, "\(punycode)")
                continue
            }
            compared += 1
            #expect(converter.asciiDomain(label) == ascii, "\(punycode)")
            #expect(converter.asciiDomain(ascii) == ascii, "\(punycode)")
        }
        print(
            "\(name): \(compared) labels agree, \(pairs.count - compared) are refused by UTS #46's other rules"
        )
        #expect(compared == (name.contains("rfc3492") ? 17 : 20))
    }

    @Test func anOverflowInPunycodeIsRefused() throws {
        let converter = try ICUDomainConverter()
        for row in try rows("idna/bad_punycode_tests.json", Pair.self) {
            #expect(converter.asciiDomain(row.decoded) == nil)
        }
    }

    private struct WebRow: Decodable {
        let input: String
        let output: String?
    }

    /// WHATWG's URL standard asks UTS #46 for less: neither CheckHyphens nor STD3 nor lengths, and
    /// ASCII is left as it is. So what it refuses is refused here, and what is accepted here it
    /// writes alike.
    @Test func whatBrowsersRefuseIsRefused() throws {
        let rows = try rows("idna/wpt_toascii.json", WebRow.self)
        let converter = try ICUDomainConverter()
        var agreeing = 0
        for row in rows {
            let ascii = converter.asciiDomain(row.input)
            if ascii == row.output {
                agreeing += 1
            } else {
                #expect(ascii == nil, "\(row.input.unicodeScalars.map(\.value)): \(ascii ?? "")")
            }
        }
        print(
            "wpt_toascii: \(agreeing) of \(rows.count) rows alike, the others refused here and not there"
        )
        #expect(agreeing >= 41)
    }

    private struct HostRow: Decodable {
        let message: String
        let input: String
        let failure: Bool
    }

    /// VerifyDnsLength of URL hosts. They may end with the root's dot, which UTS #46 no longer lets
    /// pass.
    @Test func lengthsAreVerified() throws {
        let rows = try rows("idna/ada_verifydnslength.json", HostRow.self)
        let converter = try ICUDomainConverter()
        for row in rows {
            var host = row.input.dropFirst("http://".count)
            if host.hasSuffix("/") { host = host.dropLast() }
            let isRooted = host.hasSuffix(".")
            #expect(
                (converter.asciiDomain(String(host)) == nil) == (row.failure || isRooted),
                "\(row.message)")
            if isRooted, !row.failure {
                #expect(converter.asciiDomain(String(host.dropLast())) != nil, "\(row.message)")
            }
        }
        #expect(rows.count == 17)
    }
}
