// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetCrypto
import SignetEmail
import SignetSMTP

let accounts = try await SQLiteAccounts.inMemory()
let secret = try AccountSecret(SecretKey.generate())

let server = SMTPServer.startTLS("smtp.example").signingIn(as: "app", password: "from a vault")
let sender = try SMTPMessageSender(
    server, from: Mailbox("no-reply@app.example"), name: "App"
) { message throws(AccountError) in
    try MessageText(
        subject: "Your code",
        body: "\(message.code.exposedText) signs you in. Give it to no one who asks for it.\n")
}
let outbox = try Outbox(accounts, secret: secret, sender: sender)

// Run this beside the server, once in each process.
func run() async {
    await outbox.run { error in print("a code was not sent:", error) }
}

print(server)
