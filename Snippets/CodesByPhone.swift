// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetCrypto
import SignetCurl
import SignetIdentity

// From a vault, on a real server.
let accountSID = "AC00112233445566778899aabbccddeeff"
let keySID = "SK00112233445566778899aabbccddeeff"
let keySecret = "from-a-vault".utf8
let hookSecret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=".utf8

let sender = try TwilioMessageSender(
    account: accountSID, key: keySID, secret: SecretBytes(copying: keySecret),
    from: "MG00112233445566778899aabbccddeeff", transport: .curl
) { message throws(AccountError) in
    "\(message.code.exposedText) signs you in. Give it to no one who asks for it."
}

// Any other provider, behind a program of yours.
let secret = try WebhookSecret(SecretBytes(copying: hookSecret))
let hook = try WebhookMessageSender(
    EndpointURL("https://messages.example/hook"), secrets: [secret], transport: .curl)

let accounts = try await SQLiteAccounts.inMemory()
let outbox = try Outbox(
    accounts, secret: AccountSecret(SecretKey.generate()),
    sender: SenderByDestination(phone: sender, email: hook))

// Run this beside the server, once in each process.
func run() async {
    await outbox.run { error in print("a message was not sent:", error) }
}

print(sender, hook)
