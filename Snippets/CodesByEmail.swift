// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetCrypto
import SignetEmail
import SignetSMTP
import SignetSignIn

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

// With a link too, to a page of the program's own: `message.link` is for the text.
let codes = OneTimeCodes(accounts, secret: secret)
let mailbox = try CodeDestination.email(Mailbox("ann@example.com"))
let page = try LinkPage(
    "https://app.example/confirm", allowedBy: RedirectURIs(["https://app.example/confirm"]))
_ = try await codes.send(to: mailbox, for: .signIn, from: nil, linkingTo: page)

// POST of that page: what stood in its address.
let people = People(accounts)
let posted = "the link's token_hash"
if let token = LinkToken(posted) {
    let user = try await codes.verify(link: token, for: .signIn) {
        (transaction, _, destination) throws(AccountError) in
        try await people.findOrAdd(UserIdentity(destination), in: transaction).user
    }
    print("signed in:", user.id)
}

// Run this beside the server, once in each process.
func run() async {
    await outbox.run { error in print("a code was not sent:", error) }
}

print(server)
