// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetCrypto
import SignetGoTrue
import SignetIdentity
import SignetJOSE

// On a real server it comes from a vault, and all servers have the same one.
let secret = try AccountSecret(SecretKey.generate())
let fields: [GoTrueRequest.Field] = [
    .init(name: "apikey", value: "sb_publishable_3kf9aJd0"),
    .init(name: "Content-Type", value: "application/json"),
]

// The program's own knowledge.
func isLeaked(_ password: Password) async throws -> Bool { false }
func isBanned(_ userID: String) async throws -> Bool { false }
func plan(of userID: String) async throws -> String { "free" }

let accounts = try await SQLiteAccounts.inMemory()
let issuer = try SessionTokenIssuer(
    issuer: "https://project.example/auth/v1", audience: GoTrueService.audience,
    keys: SessionKeyRing(SigningKey.generate(.es256)), lifetime: .seconds(3600))
var options = try GoTrueOptions()
options.publishableKeys = ["sb_publishable_3kf9aJd0"]
options.passwords = try PasswordHasher()
let proxies = TrustedProxies.none

options.hooks.beforePassword = { new in
    guard try await !isLeaked(new.password) else {
        throw GoTrueHooks.Refusal("This password has leaked.", reasons: ["pwned"])
    }
}
options.hooks.beforeSession = { session in
    guard try await !isBanned(session.userID) else {
        throw GoTrueHooks.Refusal("This account is closed.", code: "user_banned")
    }
}
options.hooks.claims = { session in ["plan": .string(try await plan(of: session.userID))] }
options.hooks.atSignUp = { user, transaction in
    try await transaction.run(
        "INSERT INTO customers (id) VALUES ($1)", values: [.text(user.userID)])
}

// snippet.GoTrueService
let service = try await GoTrueService.open(
    accounts, secret: secret, issuer: issuer, options: options)

// In the HTTP server: what follows /auth/v1, and the socket's peer.
let response = await service.answer(
    GoTrueRequest(
        method: "POST", path: "/otp", query: "",
        fields: fields, body: Array(#"{"phone":"+14155551234"}"#.utf8),
        client: proxies.client(peer: "198.51.100.3", forwarded: [])))
// snippet.end
print(response.status)
