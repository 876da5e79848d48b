// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
import SignetIdentity
import SignetSignIn
import SignetVault

// A server keeps its folder, for example /var/lib/example; this one is new each time.
let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
try FileManager.default.createDirectory(
    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
defer { try? FileManager.default.removeItem(atPath: folder) }

// The first start makes the key file, the vault and what is in it; later ones read them.
_ = try? KeyFileUnlock.create(at: folder + "/vault.key")
let vault = try FileVault.openOrCreate(
    at: folder + "/keys.vault", with: KeyFileUnlock(path: folder + "/vault.key"))
let secret = try await AccountSecret(
    vault.keyMadeIfAbsent(for: .key(service: "example", name: "accounts"), bitCount: 256))
let keys = try await SigningKeys.open(in: .vault(vault, service: "example"))

let accounts = try await SQLiteAccounts.open(at: folder + "/accounts.db")
let issuer = try SessionTokenIssuer(
    issuer: "https://api.example", audience: "https://api.example/session", keys: keys.ring,
    lifetime: .seconds(3600))
let sessions = try RefreshTokens(database: accounts, issuer: issuer)
let cutOff = try SessionCutOff(sessions)
let people = People(accounts)
let codes = OneTimeCodes(accounts, secret: secret)

// For development: a file instead of a message provider.
let sender = FileMessageSender(path: folder + "/codes.txt")
let outbox = try Outbox(accounts, secret: secret, sender: sender)

// POST /codes: the answer has the challenge, and is the same for every number.
let phone = try CodeDestination.phone(PhoneNumber("+14155551234"))
let sent = try await codes.send(to: phone, for: .signIn, from: nil)
let challenge = sent.challenge

// Beside the server run() does this until its task is cancelled.
try await outbox.deliver()
let line = try String(contentsOfFile: folder + "/codes.txt", encoding: .utf8)
let typed = String(line.split(separator: "\t")[2])

// POST /codes/verify: what the client sent. The code is used, the user is found or added,
// and the session begins, together or not at all.
let issued = try await codes.verify(
    OneTimeCode(typed), sentTo: phone, for: .signIn, challenge: challenge
) { (transaction, _) throws(AccountError) in
    let found = try await people.findOrAdd(UserIdentity(phone), in: transaction)
    return try await sessions.begin(for: found.user.id, in: transaction)
}

// POST /refresh: the client's refresh token, and the next pair.
let next = try await sessions.rotate(issued.refreshToken)

// Each request: who it is, and which session.
let signedIn = try await cutOff.verify(next.accessToken)
print("signed in:", try await people.user(signedIn.subject)?.displayName ?? "nobody")

// POST /sign-out: the session of the token that came, and no other.
try await sessions.end(signedIn.sessionID, of: signedIn.subject)
do throws(AccountError) {
    _ = try await cutOff.verify(next.accessToken)
} catch {
    print(error.code)
}
