// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetCrypto
import SignetJSON

// What the dashboard shows for each hook, from a vault on a real server.
let smsSetting = "v1,whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=".utf8
let emailSetting = "v1,whsec_MTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTI=".utf8
let tokenSetting = "v1,whsec_MjM0NTY3ODkwMTIzNDU2Nzg5MDEyMzQ1Njc4OTAxMjM=".utf8

// A file on a real server, or PostgreSQL where several servers answer.
let database = try await SQLiteAccounts.inMemory()
try await AccountSchema.migrate(database, steps: AuthHookVerifier.steps)

let smsHooks = try AuthHookVerifier(database, secrets: SecretBytes(copying: smsSetting))
let emailHooks = try AuthHookVerifier(database, secrets: SecretBytes(copying: emailSetting))
let tokenHooks = try AuthHookVerifier(database, secrets: SecretBytes(copying: tokenSetting))

// Any provider's client, with a time limit of 2 s.
func sendShortMessage(_ text: String, to number: String) async throws {}
func sendMail(_ text: String, to address: String) async throws {}

// Three routes of any HTTP server, each with the header fields and the body of its request.
func sms(_ fields: [(name: String, value: String)], body: [UInt8]) async -> AuthHookAnswer {
    await smsHooks.answerSMS(fields, body: body) { sms in
        guard sms.phone.e164.hasPrefix("+1") else {
            throw AuthHookError("We send no codes to this country.", status: 422)
        }
        try await sendShortMessage("\(sms.code.exposedText) signs you in.", to: sms.phone.e164)
    }
}

func email(_ fields: [(name: String, value: String)], body: [UInt8]) async -> AuthHookAnswer {
    await emailHooks.answerEmail(fields, body: body) { email in
        let text =
            if let code = email.code {
                "\(code.exposedText) is your code (\(email.kind))."
            } else {
                "Your account was changed (\(email.kind))."
            }
        try await sendMail(text, to: email.address.text)
    }
}

func token(_ fields: [(name: String, value: String)], body: [UInt8]) async -> AuthHookAnswer {
    await tokenHooks.answerToken(fields, body: body) { token in
        var claims = token.claims
        claims["plan"] = "gold"
        return claims
    }
}

// Nobody signed these.
for answer in [await sms([], body: []), await email([], body: []), await token([], body: [])] {
    print(answer.status, String(decoding: answer.body, as: UTF8.self))
}
await database.close()
