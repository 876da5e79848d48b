// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import ICUBridge
import SignetEmailIDNA
import Testing

/// Rows of IdnaTestV2.txt that are kept here: one for each rule that a name can break, and what is
/// accepted.
struct ToASCIIFigureTests {
    struct Figures: Decodable {
        let rows: [Row]
    }

    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        let line: Int
        let input: String
        let ascii: String?
        let refused: String?
        /// The version of Unicode since which it is so, as `15.1`.
        let unicode: String?

        var testDescription: String { "line \(line): \(ascii ?? refused ?? "")" }

        var isKnown: Bool {
            let numbers = (unicode ?? "0").split(separator: ".").compactMap { UInt8($0) }
            return ICUInformation.unicode
                >= .init(numbers.first ?? 0, numbers.dropFirst().first ?? 0)
        }
    }

    static let rows: [Row] = {
        guard
            let url = Bundle.module.url(
                forResource: "toascii", withExtension: "json", subdirectory: "Figures"),
            let data = try? Data(contentsOf: url),
            let figures = try? JSONDecoder().decode(Figures.self, from: data)
        else { return [] }
        return figures.rows
    }()

    @Test func thereAreFigures() {
        #expect(Self.rows.count == 69)
    }

    @Test(arguments: rows)
    func isAsPublished(_ row: Row) throws {
        let converter = try ICUDomainConverter()
        #expect((row.ascii == nil) == (row.refused != nil))
        #expect(converter.asciiDomain(row.input) == (row.isKnown ? row.ascii : nil))
    }
}
