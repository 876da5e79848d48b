// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSignIn
import Testing

/// S0-17, S0-26, S0-27: E.164 in digits of ASCII.
struct PhoneNumberTests {
    @Test(
        "Numbers in E.164 are accepted",
        arguments: ["+14155551234", "+12", "+123456789012345", "+4917012345678"])
    func takesE164(_ text: String) throws {
        let number = try PhoneNumber(text)
        #expect(number.e164 == text)
        #expect(try number == PhoneNumber(withoutPlus: number.withoutPlus))
    }

    @Test(
        "Anything that is not E.164 is refused",
        arguments: [
            "", "+", "+1", "+1234567890123456", "+0123456789", "14155551234", "++14155551234",
            "+1 415 555 1234", "+1-415-555-1234", " +14155551234", "+14155551234\n", "+1415555١234",
            "+1415555\u{00BD}1", "+\u{FF11}4155551234", "+1\u{0301}4155551234", "+1415555123a",
            "(415) 555-1234", "+1\u{0}4155551234",
        ])
    func refusesWhatIsNone(_ text: String) {
        #expect(throws: SignInInputError(.invalidPhoneNumber, "")) { try PhoneNumber(text) }
    }

    @Test(
        "The 0 of domestic calls is no part of a number, where the country's numbers never begin so",
        arguments: [
            ("+4407911123456", "+447911123456"), ("+447911123456", "+447911123456"),
            ("+49030123456", "+4930123456"), ("+3530861234567", "+353861234567"),
            ("+9720501234567", "+972501234567"),
            // Italy's and others' numbers begin with it, and America's are not dialled with it.
            ("+390669812345", "+390669812345"), ("+3780549886377", "+3780549886377"),
            ("+2250701234567", "+2250701234567"), ("+2290112345678", "+2290112345678"),
            ("+10155551234", "+10155551234"), ("+7079111234567", "+7079111234567"),
            // Neither begins a number.
            ("+44007911123456", "+44007911123456"), ("+440", "+440"), ("+44", "+44"),
        ])
    func trunkZero(_ typed: String, _ number: String) throws {
        #expect(try PhoneNumber(typed).e164 == number)
        #expect(try PhoneNumber(withoutPlus: String(typed.dropFirst())).e164 == number)
        // Read back from wherever it was kept.
        #expect(try PhoneNumber(number).e164 == number)
    }

    @Test("A plus is refused where numbers are written without one")
    func refusesPlusWhereThereIsNone() {
        #expect(throws: SignInInputError.self) { try PhoneNumber(withoutPlus: "+14155551234") }
    }

    @Test("A country code and a national number are joined, or refused")
    func joinsTwoFields() throws {
        #expect(
            try PhoneNumber(countryCode: "+1", national: "4155551234").e164 == "+14155551234")
        for (code, national) in [
            ("1", "4155551234"), ("+1 ", "4155551234"), ("+1 +44", "4155551234"), ("+", "4155"),
            ("+0", "4155551234"), ("+1", "04155551234"), ("+1", "+4155551234"), ("+1", ""),
            ("+12345", "4155551234"), ("+Ⅷ", "4155551234"), ("+1", "555-1234"),
        ] {
            #expect(throws: SignInInputError.self) {
                try PhoneNumber(countryCode: code, national: national)
            }
        }
    }

    @Test(
        "In two fields a first 0 is left out or kept, and refused where that is not known",
        arguments: [
            ("+44", "07911123456", "+447911123456"), ("+39", "0669812345", "+390669812345"),
            ("+225", "0701234567", "+2250701234567"), ("+229", "0112345678", "+2290112345678"),
            ("+242", "061234567", "+242061234567"), ("+58", "04121234567", nil),
            ("++44", "07911123456", nil), ("+-44", "07911123456", nil), ("+ 44", "0791112345", nil),
            ("+44", "007911123456", nil), ("+39", "00669812345", nil),
        ])
    func zeroOfTwoFields(_ code: String, _ national: String, _ number: String?) {
        #expect((try? PhoneNumber(countryCode: code, national: national))?.e164 == number)
    }

    /// S0-22, S3-45.
    @Test("A number is not printed")
    func isNotPrinted() throws {
        let number = try PhoneNumber("+14155551234")
        var dumped = ""
        dump(number, to: &dumped)
        for text in ["\(number)", String(reflecting: number), dumped, "\([number])"] {
            #expect(!text.contains("4155551234"))
        }
    }

    /// S0-29.
    @Test("The error for an invalid number tells the person what to enter")
    func sayWhatToDoToThePerson() {
        let error = #expect(throws: SignInInputError.self) { try PhoneNumber("12") }
        #expect(error?.message == "Please enter a valid phone number")
    }
}
