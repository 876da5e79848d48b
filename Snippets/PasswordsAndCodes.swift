// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetCrypto
import SignetEmail
import SignetSignIn

let accounts = try await SQLiteAccounts.inMemory()
try await accounts.transaction { (transaction) throws(AccountError) in
    try await AccountUsers.add("user-1093", in: transaction)
}
// On a real server it comes from a vault, and all servers have the same one.
let secret = try AccountSecret(SecretKey.generate())

// The client's address: the socket's peer, or what our own proxy says.
let proxies = try TrustedProxies(["10.0.0.0/8"])
let client = proxies.client(peer: "10.0.0.7:4711", forwarded: ["198.51.100.3"])

// What a request of this client names, and the secret that it keeps, if any.
let mailbox = try CodeDestination.email(Mailbox("ann@example.com"))
let shown = DeviceSecret("bm90IGEgcmVhbCBzZWNyZQ")
let people = People(accounts)

// Sign-up, once the mailbox's code was right. An account that is there keeps its password.
let hasher = try PasswordHasher()
let stored = try await hasher.hash(Password("correct horse battery"))
try await accounts.transaction { (transaction) throws(AccountError) in
    let found = try await people.findOrAdd(UserIdentity(mailbox), in: transaction)
    guard found.isNew else { return }
    try await StoredPasswords.set(stored, of: found.user.id, in: transaction)
}

// Sign-in: first the client's limit, then that of what it asks for.
let limits = RateLimits(accounts, secret: secret)
let clients = KnownClients(secret: secret)
try await limits.take(.codesTriedFromAddress, name: "sign-ins", from: client)
let subject = try await accounts.transaction {
    (transaction) throws(AccountError) -> RateLimits.Subject in
    let known = try await clients.find(
        device: shown, address: client, at: mailbox, in: transaction)
    let subject = known.map { .known($0) } ?? RateLimits.Subject.destination(mailbox)
    try await limits.take(.passwordTries, name: "passwords", for: subject, in: transaction)
    return subject
}

// Only now the password. Without a user pass nil, which takes just as long.
let (user, known) = try await accounts.read {
    (transaction) throws(AccountError) -> (String?, PasswordHash?) in
    let user = try await people.owner(of: UserIdentity(mailbox), in: transaction)
    return (user, try await StoredPasswords.hash(of: user ?? "", in: transaction))
}
let verdict = try await hasher.verify(Password("correct horse battery"), against: known)
switch verdict {
case .wrong: print("wrong")
case .correct(let needsUpgrade): print("right; to be hashed again:", needsUpgrade)
}

// In the transaction that begins the session: the hash is still the one that was compared. A right
// password costs nothing. The client keeps the secret, and shows it next time.
let device = try await accounts.transaction {
    (transaction) throws(AccountError) -> DeviceSecret? in
    guard verdict != .wrong, let user, let known,
        try await StoredPasswords.confirm(known, of: user, in: transaction)
    else { return nil }
    try await limits.giveBack(.passwordTries, name: "passwords", for: subject, in: transaction)
    return try await clients.remember(
        device: shown, address: client, at: mailbox, of: user, in: transaction)
}
print("to keep:", device?.exposedText.utf8.count ?? 0, "characters")

// A code by phone; the answer is the same for every number.
// snippet.OneTimeCodes
let codes = OneTimeCodes(accounts, secret: secret)
let phone = try CodeDestination.phone(PhoneNumber("+14155551234"))
let sent = try await codes.send(to: phone, for: .signIn, from: client)
print("the next one in", sent.resendAfter)
// snippet.hide

// Beside the server, once in each process: messages are sent after the answer.
struct Provider: MessageSender {
    func send(_ message: CodeMessage) async throws(AccountError) {
        // A request to a message provider, with message.id as its idempotency key.
    }

    func send(_ notice: NoticeMessage) async throws(AccountError) {
        // The same with a text that says what was changed: notice.change.
    }
}
let outbox = try Outbox(accounts, secret: secret, sender: Provider())
let worker = Task { await outbox.run { error in print("outbox:", error.code) } }

// snippet.show
// What a person typed.
let typed = try OneTimeCode("123456")
// snippet.hide
do throws(AccountError) {
    // snippet.show
    try await codes.verify(typed, sentTo: phone, for: .signIn)
    // snippet.end
} catch {
    print(error.code, error.retryAfter ?? .zero)
}

// An authenticator app: the address as a QR code, the first code back, and recovery codes to keep.
// snippet.SecondFactors
let factors = SecondFactors(accounts, secret: secret)
let app = try TOTP()
try await factors.add(.totp(app), for: "user-1093")
let address = try app.exposedAddress(issuer: "Example", account: "ann@example.com")
print("bytes of the address:", address.utf8.count)
let first = try app.code(at: TimeSource.system.now())
let recovery = try await factors.confirm(first, for: "user-1093")
// snippet.end
print("recovery codes:", recovery.count)

// Every hour.
try await codes.sweep()
try await limits.sweep()

worker.cancel()
await worker.value
