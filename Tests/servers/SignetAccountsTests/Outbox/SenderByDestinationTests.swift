// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetEmail
import SignetSignIn
import Testing

@Suite("A sender for each kind of destination")
struct SenderByDestinationTests {
    @Test("A message goes to its kind's sender, and nowhere without one")
    func kinds() async throws {
        let phone = CodeDestination.phone(try PhoneNumber("+14155551234"))
        let email = CodeDestination.email(try Mailbox("ann@company.example"))
        let code = try OneTimeCode("123456")
        for (hasPhone, hasEmail) in [(true, true), (true, false), (false, true), (false, false)] {
            let (phones, emails) = (RecordingSender(), RecordingSender())
            let sender = SenderByDestination(
                phone: hasPhone ? phones : nil, email: hasEmail ? emails : nil)
            for (destination, own, isThere) in [
                (phone, phones, hasPhone), (email, emails, hasEmail),
            ] {
                let message = CodeMessage(
                    id: "1", destination: destination, purpose: .signIn, code: code)
                do throws(AccountError) {
                    try await sender.send(message)
                    #expect(isThere)
                } catch { #expect(error.code == .messageRefused && !isThere) }
                #expect(own.messages.count == (isThere ? 1 : 0))
                #expect(own.messages.allSatisfy { $0.destination == destination })
            }
        }
    }
    @Test("A row with exactly one valid destination has a sender")
    func destinations() throws {
        let both = SenderByDestination(phone: RecordingSender(), email: RecordingSender())
        let rows: [(phone: String?, email: String?, destination: String?)] = [
            ("+14155551234", nil, "+14155551234"),
            (nil, "Ann@Company.Example", "ann@company.example"),
            (nil, nil, nil), ("+14155551234", "ann@company.example", nil), ("0049", nil, nil),
            ("", nil, nil), (nil, "", nil), (nil, "ann", nil), (nil, "ann@@company.example", nil),
            (nil, "ann@company.example\r\nBcc: eve@evil.example", nil),
            // Unicode's lower case turns a Kelvin sign into a k, which no address contains.
            (nil, "\u{212a}arl@company.example", nil), ("ann@company.example", nil, nil),
            (nil, "+14155551234", nil),
        ]
        for row in rows {
            let found = try? both.destination(phone: row.phone, email: row.email)
            #expect(found?.exposedText == row.destination, "\(row)")
        }
        for (sender, phone, email) in [
            (SenderByDestination(phone: nil, email: RecordingSender()), "+14155551234", nil),
            (SenderByDestination(phone: RecordingSender(), email: nil), nil, "ann@company.example"),
        ] as [(SenderByDestination, String?, String?)] {
            #expect(throws: AccountError(.invalidDestination, "")) {
                try sender.destination(phone: phone, email: email)
            }
        }
    }
}
