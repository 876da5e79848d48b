// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetSMTP
import Testing

@Suite("The address of a mail server")
struct SMTPServerAddressTests {
    @Test("has a host, and its kind's port or another")
    func addresses() throws {
        for (address, place) in [
            ("smtps://smtp.example", "smtp.example:465"),
            ("smtps://smtp.example:4650", "smtp.example:4650"),
            ("smtp://Smtp.Example", "smtp.example:587"),
            ("smtp://smtp.example:2525", "smtp.example:2525"),
            ("smtp://127.0.0.1", "127.0.0.1:25"), ("smtp://127.0.0.1:1025", "127.0.0.1:1025"),
            // Not certainly this machine: with TLS.
            ("smtp://localhost", "localhost:587"), ("smtps://127.0.0.1", "127.0.0.1:465"),
            ("smtps://[::1]", "[::1]:465"),
        ] {
            let server = try SMTPServer(address: address)
            #expect(server.description == "SMTPServer(\(place), redacted)")
        }
    }

    @Test(
        "in any other form is refused",
        arguments: [
            "", "smtp.example", "smtp://", "smtps://", "SMTP://smtp.example",
            "https://smtp.example",
            "smtp://user:s3cret@smtp.example", "smtp://smtp.example/", "smtp://smtp.example?a=b",
            "smtp://smtp.example:0", "smtp://smtp.example:65536", "smtp://smtp.example:25x",
            "smtp://127.1", "smtp://127.0.0.01", "smtp://smtp.example\r\nRCPT TO:<a@b.example>",
            "smtp://smtp .example", "smtp://ßmtp.example", "smtp://smtp.example#a",
            "smtp://" + String(repeating: "a", count: 3_000),
        ])
    func refused(_ address: String) {
        let error = #expect(throws: AccountError.self) { try SMTPServer(address: address) }
        #expect(error?.code == .invalidParameter)
        #expect(error.map { "\($0)".contains("s3cret") } == false)
    }
}
