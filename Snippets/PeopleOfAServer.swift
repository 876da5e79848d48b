// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetBase
import SignetCrypto
import SignetEmail
import SignetIdentity
import SignetJOSE
import SignetSignIn

let accounts = try await SQLiteAccounts.inMemory()
let issuer = try SessionTokenIssuer(
    issuer: "https://api.example", audience: "session",
    keys: SessionKeyRing(SigningKey.generate(.es256)), lifetime: .seconds(3600))
let sessions = try RefreshTokens(database: accounts, issuer: issuer)
let number = try PhoneNumber("+14155551234")
let mailbox = try Mailbox("ann@company.example")
let secret = try AccountSecret(SecretKey.generate())

// The result of an IDTokenVerifier, here for a token that was just signed.
let key = try SigningKey.generate(.rs256)
let provider = try IdentityProvider.apple(clientIDs: ["example.app"])
let claims: [String: JSONValue] = [
    "iss": "https://appleid.apple.com", "aud": "example.app", "sub": "001",
    "email": "ann@example.com", "email_verified": "true",
]
let token = try TokenSigner(key: key).sign(claims, lifetime: .seconds(300))
let apple = try await IDTokenVerifier(provider, keys: .inHand(KeySet([key.verificationKey])))
    .verify(token)

// snippet.People
let people = People(accounts, requiring: [.fullName, .username])

// The code was right: the user is found or added, and signed in, together or not at all.
let (user, issued) = try await accounts.transaction { (transaction) throws(AccountError) in
    let found = try await people.findOrAdd(.phone(number), in: transaction)
    let issued = try await sessions.begin(for: found.user.id, in: transaction)
    return (found.user, issued)
}
print(user.displayName, user.needsProfile)
// snippet.end

// Later, signed in: an account at Apple beside the phone, and a name that is unique.
_ = try await people.link(UserIdentity(apple.identityKey), profile: .init(apple), to: user.id)
var change = ProfileChange()
change.username = try Username("ann.lee")
let named = try await people.change(user.id, applying: change)

// A mailbox whose code was right. The phone is told of it, or neither happens.
let notices = AccountNotices(accounts, secret: secret)
try await accounts.transaction { (transaction) throws(AccountError) in
    try await notices.tell(.email, of: user.id, in: transaction)
    _ = try await people.link(.email(mailbox), to: user.id, in: transaction)
}

// What the support does, with an event for each call.
let support = AccountSupport(sessions, factors: SecondFactors(accounts, secret: secret))
if let found = try await support.user(
    with: .email(mailbox), by: "kim", reason: "ticket 812")
{
    print("sessions:", found.sessions.count, "factors:", found.factors.count)
    try await support.reset(
        [.secondFactors, .limits], of: found.id, by: "kim", reason: "ticket 812: phone lost")
}

// Until then no session of the user begins, and none goes on.
let tomorrow = TimeSource.system.now().secondsSince1970 + 86_400
try await support.ban(
    user.id, until: NumericDate(secondsSince1970: tomorrow), by: "kim", reason: "ticket 813")
for event in try await support.events(of: user.id) {
    print(event.at.rfc3339, event.act.name, event.actor, event.reason)
}

print(named.username ?? "none", named.email ?? "none", named.initial)
print("expires in", issued.expiresIn, "seconds")
