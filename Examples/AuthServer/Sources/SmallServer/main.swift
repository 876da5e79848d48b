// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// A whole sign-in in one file. A client brings a provider's ID token, and lives on its own tokens
// from then on. The README counts the lines; the sign-in server beside it has more.

import Hummingbird
import SignetCurl
import SignetHummingbirdAccounts
import SignetVault

let settings = Environment()
let folder = settings.get("DATA_FOLDER") ?? "/var/lib/small-server"
let address = settings.get("ADDRESS") ?? "https://api.example"
let port = settings.get("HTTP_PORT", as: Int.self) ?? 8080
let clientIDs = try IdentityProvider.clientIDs(fromList: settings.require("CLIENT_ID"))
let google = try IdentityProvider.google(clientIDs: clientIDs)
let verifier = try IDTokenVerifier(
    settings.get("ISSUER").map { try .openID(issuer: EndpointURL($0), clientIDs: clientIDs) }
        ?? google, keys: .fetched(over: CurlTransport.curl))

let database = try await SQLiteAccounts.open(at: folder + "/accounts.db")
// The first start makes the key file; an existing one stays.
let unlock =
    (try? KeyFileUnlock.create(at: folder + "/vault.key"))
    ?? KeyFileUnlock(path: folder + "/vault.key")
let vault = try FileVault.openOrCreate(at: folder + "/keys.vault", with: unlock)
let keys = try await SigningKeys.open(in: .vault(vault, service: "small-server"))
let sessions = try RefreshTokens(
    database: database,
    issuer: SessionTokenIssuer(
        issuer: address, audience: address + "/session", keys: keys.ring, lifetime: .seconds(3600)))
let cutOff = try SessionCutOff(sessions)
let people = People(database)

let router = Router(context: GuestContext<VerifiedSession>.self)
router.add(middleware: RequestLog())
router.add(middleware: ErrorAnswers())
try router.addTokens(of: sessions, people: people, checking: cutOff)
struct SignInBody: Decodable { let idToken: String }
router.post("sign-in") { request, _ in
    let identity = try await verifier.verify(request.strictJSON(SignInBody.self).idToken)
    let tokens = try await database.transaction { (transaction) throws(AccountError) in
        let found = try await people.findOrAdd(
            UserIdentity(identity.identityKey), profile: ProfileValues(identity), in: transaction)
        return try await sessions.begin(for: found.user.id, in: transaction)
    }
    return try Response(json: TokenAnswer(tokens))
}
router.group().add(middleware: Authentication(cutOff))
    .group("api/me", context: MemberContext<GuestContext<VerifiedSession>>.self)
    .get { _, context in try Response(json: await people.user(context.signedIn.subject)) }

var application = Application(
    router: router, server: .http1(configuration: .bounded()),
    configuration: .init(address: .hostname("127.0.0.1", port: port)))
application.addServices(AccountUpkeep(of: sessions, keys: keys, logger: application.logger))
try await application.runService()
