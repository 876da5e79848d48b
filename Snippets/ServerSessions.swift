// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetIdentity
import SignetJOSE

let accounts = try await SQLiteAccounts.inMemory()
let issuer = try SessionTokenIssuer(
    issuer: "https://api.example", audience: "session",
    keys: SessionKeyRing(SigningKey.generate(.es256)), lifetime: .seconds(3600))

var options = RefreshTokenOptions()
options.onEvent = { event in
    if case .reused(let session) = event { print("a copy of a token is about:", session.id) }
}
// snippet.RefreshTokens
let sessions = try RefreshTokens(database: accounts, issuer: issuer, options: options)

// After a sign-in: the user and the session, together or not at all.
let issued = try await accounts.transaction { (transaction) throws(AccountError) in
    try await AccountUsers.add("user-1093", in: transaction)
    return try await sessions.begin(for: "user-1093", device: "Pixel 9", in: transaction)
}
print("expires in", issued.expiresIn, "seconds")

// POST /token: what the client sent, and the next pair.
let next = try await sessions.rotate(issued.refreshToken)
// snippet.end

// Each request: checks the token, and that its session has not ended.
let cutOff = try SessionCutOff(sessions)
print(try await cutOff.verify(next.accessToken).subject)

// The user looks at their devices, and signs all others out.
for session in try await sessions.sessions(of: "user-1093") { print(session.device ?? "unknown") }
try await sessions.endAll(of: "user-1093", except: next.session.id)

// Every hour.
try await sessions.sweep()

// The account is deleted: its sessions end with it.
try await accounts.transaction { (transaction) throws(AccountError) in
    try await AccountUsers.delete("user-1093", in: transaction)
}
do throws(AccountError) {
    _ = try await cutOff.verify(next.accessToken)
} catch {
    print(error.code)
}

// Compiled but not called: a file beside the server.
func open() async throws -> SQLiteAccounts {
    try await SQLiteAccounts.open(at: "/var/lib/example/accounts.db")
}
