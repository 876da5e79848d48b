// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAudit
import Testing

@Suite("The look of the audit's page")
struct PageStyleTests {
    @Test(
        "Text is read at a contrast of 4.5:1 or more", arguments: [PageStyle.light, PageStyle.dark])
    func contrast(_ palette: PageStyle.Palette) throws {
        let ground = try luminance(palette.ground)
        for colour in [palette.text, palette.quiet, palette.good, palette.bad] {
            let other = try luminance(colour)
            let contrast = (max(ground, other) + 0.05) / (min(ground, other) + 0.05)
            #expect(contrast >= 4.5, "\(colour) on \(palette.ground): \(contrast)")
        }
    }

    /// Relative luminance (WCAG 2.2).
    private func luminance(_ colour: String) throws -> Double {
        let value = try #require(Int(colour.dropFirst(), radix: 16))
        let parts = [value >> 16, value >> 8 & 255, value & 255].map { part in
            let share = Double(part) / 255
            return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    @Test("Every colour of the page is in a palette")
    func colours() throws {
        let html = try ReportTests.report(broken: true).html
        let style = try #require(
            html.range(of: "<style>").flatMap { start in
                html.range(of: "</style>").map { html[start.upperBound..<$0.lowerBound] }
            })
        let palettes = [PageStyle.light, PageStyle.dark]
        let known = palettes.flatMap { [$0.ground, $0.text, $0.quiet, $0.good, $0.bad, $0.rule] }
        let used = style.matches(of: /#[0-9a-fA-F]{3,8}/).map { String($0.output) }
        #expect(!used.isEmpty && Set(used).isSubset(of: known))
        for rule in ["prefers-color-scheme: dark", "@media print", "max-width: 640px"] {
            #expect(style.contains(rule))
        }
    }
}
