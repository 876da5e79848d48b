// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import Testing

@Suite("The texts of a time")
struct NumericDateTextTests {
    @Test(
        "A time is written to the millisecond for programs and to the second for mail",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z", "Thu, 01 Jan 1970 00:00:00 +0000"),
            (784_111_777.999_9, "1994-11-06T08:49:37.999Z", "Sun, 06 Nov 1994 08:49:37 +0000"),
            (1_709_164_800.25, "2024-02-29T00:00:00.250Z", "Thu, 29 Feb 2024 00:00:00 +0000"),
            (-1, "1970-01-01T00:00:00.000Z", "Thu, 01 Jan 1970 00:00:00 +0000"),
            (1e18, "9999-12-31T23:59:59.999Z", "Fri, 31 Dec 9999 23:59:59 +0000"),
        ] as [(Double, String, String)])
    func texts(_ seconds: Double, _ program: String, _ mail: String) {
        let date = NumericDate(secondsSince1970: seconds)
        #expect(date.rfc3339 == program)
        #expect(date.rfc5322 == mail)
    }
}
