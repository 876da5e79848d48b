// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// A whole sign-in in one file: it exchanges a provider's ID token for an access token and a refresh
// token, and has a route for signed-in users and the key set. The sign-in server beside it has
// more.

import Hummingbird
import Logging
import SignetAccounts
import SignetCurl
import SignetHummingbird
import SignetIdentity
import SignetSignIn
import SignetVault

struct SignInBody: Decodable { let idToken: String }

let settings = Environment()
let folder = settings.get("DATA_FOLDER") ?? "/var/lib/small-server"
let clientIDs = try IdentityProvider.clientIDs(fromList: settings.require("CLIENT_ID"))
let port = settings.get("HTTP_PORT", as: Int.self) ?? 8080
let logger = Logger(label: "small-server")

// Google, or any other provider.
let provider =
    if let issuer = settings.get("ISSUER") {
        try IdentityProvider.openID(issuer: EndpointURL(issuer), clientIDs: clientIDs)
    } else {
        try IdentityProvider.google(clientIDs: clientIDs)
    }
let verifier = try IDTokenVerifier(provider, keys: .fetched(over: CurlTransport.curl))

let database = try await SQLiteAccounts.open(at: folder + "/accounts.db")
// The first start makes the key; an existing one stays.
_ = try? KeyFileUnlock.create(at: folder + "/vault.key")
let unlock = KeyFileUnlock(path: folder + "/vault.key")
let vault = try FileVault.openOrCreate(at: folder + "/keys.vault", with: unlock)
let keys = try await SigningKeys.open(in: .vault(vault, service: "small-server"))
let issuer = try SessionTokenIssuer(
    issuer: "https://api.example", audience: "https://api.example/session", keys: keys.ring,
    lifetime: .seconds(3600))
let published = RotatingSessionIssuer(issuer)
let sessions = try RefreshTokens(database: database, issuer: issuer)
let cutOff = try SessionCutOff(sessions)
let people = People(database)

typealias Guest = GuestContext<VerifiedSession>
let router = Router(context: Guest.self)
router.addMiddleware {
    RequestLog()
    ErrorAnswers()
}
router.addKeySet(of: published)
router.post("sign-in") { request, _ in
    let identity = try await verifier.verify(request.strictJSON(SignInBody.self).idToken)
    let tokens = try await database.transaction { (transaction) throws(AccountError) in
        let found = try await people.findOrAdd(
            UserIdentity(identity.identityKey), profile: ProfileValues(identity), in: transaction)
        return try await sessions.begin(for: found.user.id, in: transaction)
    }
    return try Response(json: TokenAnswer(tokens))
}
// Clients end a session on `invalid_grant`, and on nothing else.
router.group("refresh").add(middleware: ErrorAnswers(body: ErrorBody.oauth)).post { request, _ in
    let token = try await request.strictJSON(RefreshRequest.self).refreshToken
    return try Response(json: TokenAnswer(await sessions.rotate(token)))
}
router.group().add(middleware: Authentication { try await cutOff.verify($0.exposedText) })
    .group("me", context: MemberContext<Guest>.self)
    .get { _, context in try Response(json: await people.user(context.signedIn.subject)) }

var application = Application(
    router: router, server: .http1(configuration: .bounded()),
    configuration: .init(address: .hostname("127.0.0.1", port: port)), logger: logger)
application.addServices(
    KeyReading(into: published, logger: logger) {
        let ring = try await keys.refresh()
        try sessions.use(issuer.using(ring))
        return ring
    })
try await application.runService()
