// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSignIn
import Testing

/// S0-28, S0-49: digits of ASCII, 6 unless the server's codes are longer.
struct OneTimeCodeTests {
    @Test("Six digits are accepted, leading zeros too", arguments: ["000000", "012345", "999999"])
    func takesSixDigits(_ text: String) throws {
        let code = try OneTimeCode(text)
        #expect(code.exposedText == text)
        #expect(code.digitCount == 6)
    }

    @Test("A code has as many digits as the server's, from 6 to 10", arguments: 6...10)
    func takesAsManyAsTheServerHas(_ count: Int) throws {
        let text = String(repeating: "7", count: count)
        #expect(try OneTimeCode(text, digitCount: count).exposedText == text)
        #expect(throws: SignInInputError(.invalidCode, "")) {
            try OneTimeCode(text + "7", digitCount: count)
        }
    }

    @Test("A digit count outside 6 to 10 is refused", arguments: [5, 11, 0, -1, .max])
    func refusesOtherLengths(_ count: Int) {
        #expect(throws: SignInInputError(.invalidLength, "")) {
            try OneTimeCode("123456", digitCount: count)
        }
    }

    @Test(
        "Anything but ASCII digits of the right count is refused",
        arguments: [
            "", "12345", "1234567", "123 456", " 12345", "12345\n", "١٢٣٤٥٦",
            "12345½", "１２３４５６", "12345a", "-12345", "+12345", "12345\u{0301}", "12345\u{0}",
        ])
    func refusesWhatIsNone(_ text: String) {
        #expect(throws: SignInInputError(.invalidCode, "")) { try OneTimeCode(text) }
    }

    @Test("A code is compared, and not printed")
    func isComparedAndNotPrinted() throws {
        let code = try OneTimeCode("271828")
        #expect(try code == OneTimeCode("271828"))
        #expect(try code != OneTimeCode("271829"))
        var dumped = ""
        dump(code, to: &dumped)
        for text in ["\(code)", String(reflecting: code), dumped] {
            #expect(!text.contains("271828"))
        }
    }

    /// S0-29.
    @Test("The error for an invalid code tells the person what to enter")
    func saysWhatToDoToThePerson() {
        let error = #expect(throws: SignInInputError.self) { try OneTimeCode("1") }
        #expect(error?.message == "Please enter the 6-digit code")
    }
}
