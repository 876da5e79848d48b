// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// A sign-in service for Supabase's clients in one file. Messages go to a file: take a sender of
// yours. The README counts the lines.

import Hummingbird
import SignetHummingbirdGoTrue
import SignetVault

let settings = Environment()
let folder = settings.get("DATA_FOLDER") ?? "/var/lib/gotrue-server"
let address = settings.get("ADDRESS") ?? "https://project.example/auth/v1"
let port = settings.get("HTTP_PORT", as: Int.self) ?? 8080

let database = try await SQLiteAccounts.open(at: folder + "/accounts.db")
// The first start makes the key file, the vault and what is in it; later ones read them.
_ = try? KeyFileUnlock.create(at: folder + "/vault.key")
let vault = try FileVault.openOrCreate(
    at: folder + "/keys.vault", with: KeyFileUnlock(path: folder + "/vault.key"))
let secret = try await AccountSecret(
    vault.keyMadeIfAbsent(for: .key(service: "gotrue", name: "accounts"), bitCount: 256))
let keys = try await SigningKeys.open(in: .vault(vault, service: "gotrue"))
let outbox = try Outbox(
    database, secret: secret, sender: FileMessageSender(path: folder + "/messages.txt"))

var options = try GoTrueOptions()
options.publishableKeys = [try settings.require("PUBLISHABLE_KEY")]
options.allowsGuests = true
options.passwords = try PasswordHasher()
let service = try await GoTrueService.open(
    database, secret: secret,
    issuer: SessionTokenIssuer(
        issuer: address, audience: GoTrueService.audience, keys: keys.ring,
        lifetime: .seconds(3600)), options: options)

let router = Router(context: GuestContext<VerifiedSession>.self)
router.add(middleware: RequestLog())
router.add(middleware: ErrorAnswers())
try router.addGoTrue(service, behind: TrustedProxies(["127.0.0.1", "::1"]))
var application = Application(
    router: router, server: .http1(configuration: .bounded()),
    configuration: .init(address: .hostname("127.0.0.1", port: port)))
application.addServices(
    AccountUpkeep(of: service, keys: keys, outbox: outbox, logger: application.logger))
try await application.runService()
