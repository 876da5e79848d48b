// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ICUBridge
import SignetEmailIDNA
import TestSupport
import Testing

/// IdnaTestV2.txt of Unicode 17.0.0, row by row, read where it lies.
@Suite("IdnaTestV2 of Unicode 17.0.0", .needsPublishedVectors)
struct IdnaConformanceTests {
    /// Rows that are alike for this purpose.
    private enum Kind: String, CaseIterable {
        /// Every character is known, and treated as it is in 17.0.
        case current = "characters that the loaded ICU treats as Unicode 17.0 does"
        /// UTS #46 has changed its mind about a character after the loaded ICU.
        case remapped = "characters that UTS #46 treats otherwise since"
        /// Newer than the loaded ICU, or assigned by no version.
        case unknown = "characters that the loaded ICU does not know"
    }

    private struct Count {
        var agreeing = 0
        var differing = 0
    }

    @Test func everyRowIsAsPublished() throws {
        let data = try #require(try PublishedVectors.bytes("idna/IdnaTestV2_17.0.0.txt"))
        let converter = try ICUDomainConverter()
        var counts: [Kind: Count] = [:]
        var inexpressible = 0
        var rows = 0
        // Lines are cut at the byte: a line feed after a combining mark is part of its Character.
        for (index, octets) in data.split(separator: 0x0a, omittingEmptySubsequences: false)
            .enumerated()
        {
            let text = try #require(String(validating: octets, as: UTF8.self), "line \(index + 1)")
            guard let row = ConformanceRow(text[...], line: index + 1) else { continue }
            rows += 1
            guard row.isExpressible else {
                inexpressible += 1
                continue
            }
            let kind: Kind =
                row.unassigned != nil ? .unknown : row.hasLaterMapping ? .remapped : .current
            let ascii = converter.asciiDomain(row.source)
            guard ascii != row.ascii else {
                counts[kind, default: Count()].agreeing += 1
                continue
            }
            counts[kind, default: Count()].differing += 1
            #expect(
                kind != .current,
                "line \(row.line): \(ascii ?? "refused") for \(row.ascii ?? "refused")")
            // Whatever the reason, the answer is never a different domain.
            #expect(ascii == nil, "line \(row.line): \(ascii ?? "") for \(row.ascii ?? "refused")")
        }
        #expect(rows == 6391 && inexpressible == 2)
        print(
            "IdnaTestV2 17.0.0, ICU \(ICUDomainConverter.libraryVersion) (Unicode \(ICUDomainConverter.unicodeVersion)):"
        )
        for kind in Kind.allCases {
            let count = counts[kind] ?? Count()
            print(
                "  \(count.agreeing) rows agree, \(count.differing) are refused that 17.0 accepts: \(kind.rawValue)"
            )
        }
        print("  \(inexpressible) rows skipped: a lone surrogate, of which no String can be made")
    }
}
