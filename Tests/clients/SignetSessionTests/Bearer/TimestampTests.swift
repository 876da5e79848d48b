// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetSession
import Testing

@Suite("Timestamps")
struct TimestampTests {
    static let good: [(String, Double, String)] = [
        ("1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00Z"),
        ("2026-01-02T03:04:05Z", 1_767_323_045, "2026-01-02T03:04:05Z"),
        ("2026-01-02t03:04:05z", 1_767_323_045, "2026-01-02T03:04:05Z"),
        ("2026-01-02T03:04:05.5Z", 1_767_323_045.5, "2026-01-02T03:04:05.500000Z"),
        ("2026-01-02T03:04:05.678901Z", 1_767_323_045.678901, "2026-01-02T03:04:05.678901Z"),
        (
            "2026-01-02T03:04:05.678901234999Z", 1_767_323_045.678901234,
            "2026-01-02T03:04:05.678901Z"
        ),
        ("2026-01-02T05:04:05+02:00", 1_767_323_045, "2026-01-02T03:04:05Z"),
        ("2026-01-01T21:34:05-05:30", 1_767_323_045, "2026-01-02T03:04:05Z"),
        ("2026-01-02 03:04:05+00", 1_767_323_045, "2026-01-02T03:04:05Z"),
        ("2024-02-29T00:00:00Z", 1_709_164_800, "2024-02-29T00:00:00Z"),
        ("2000-02-29T23:59:60Z", 951_868_800, "2000-03-01T00:00:00Z"),
        ("1969-12-31T23:59:59.5Z", -0.5, "1969-12-31T23:59:59.500000Z"),
        ("0001-01-01T00:00:00Z", -62_135_596_800, "0001-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59Z", 253_402_300_799, "9999-12-31T23:59:59Z"),
    ]

    @Test("RFC 3339 is read, with fractions and without", arguments: good)
    func reads(_ text: String, _ seconds: Double, _ written: String) throws {
        let timestamp = try Timestamp(text)
        #expect(timestamp.date.secondsSince1970 == seconds)
        #expect(timestamp.description == written)
    }

    @Test("Any other form is refused")
    func refuses() {
        for text in [
            "", "2026-01-02", "2026-01-02T03:04:05", "2026-01-02T03:04Z", "2026-1-02T03:04:05Z",
            "2026-13-02T03:04:05Z", "2026-00-02T03:04:05Z", "2026-02-29T03:04:05Z",
            "1900-02-29T03:04:05Z", "2026-01-32T03:04:05Z", "2026-01-00T03:04:05Z",
            "2026-01-02T24:00:00Z", "2026-01-02T03:60:05Z", "2026-01-02T03:04:61Z",
            "2026-01-02T03:04:05.Z", "2026-01-02T03:04:05,5Z", "2026-01-02T03:04:05+24:00",
            "2026-01-02T03:04:05+02:60", "2026-01-02T03:04:05+0200", "2026-01-02T03:04:05Z ",
            " 2026-01-02T03:04:05Z", "0000-01-02T03:04:05Z", "+2026-01-02T03:04:05Z",
            "2026-01-02T03:04:05ZZ", "2026-01-02T03:04:05\u{301}Z", "\u{662}026-01-02T03:04:05Z",
            "2026-01-02T03:04:05." + String(repeating: "1", count: 60) + "Z", "1767323045",
        ] {
            #expect(throws: APIError(.invalidAnswer, ""), "\(text)") { try Timestamp(text) }
        }
    }

    @Test("Each day of ten thousand years is read as it was written")
    func everyDay() throws {
        // A prime number of days, so that all days of the year come.
        for day in stride(from: -719_162, through: 2_932_896, by: 37) {
            let date = NumericDate(secondsSince1970: Double(day) * 86_400 + 86_399)
            let text = Timestamp(date).description
            #expect(try Timestamp(text).date == date, "\(text)")
        }
    }
}
