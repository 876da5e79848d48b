// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import SignetCurl
import SignetHummingbird
import SignetIdentity

// The issuer of the tokens, and what it calls this server.
let settings = Environment()
let issuer = settings.get("ISSUER") ?? "https://idp.example"
let audience = settings.get("AUDIENCE") ?? "https://api.example"
let port = settings.get("HTTP_PORT", as: Int.self) ?? 8080
let verifier = try AccessTokenVerifier(
    .rfc9068(issuer: issuer, resources: [audience]), keys: .fetched(over: CurlTransport()))

typealias Context = GuestContext<VerifiedAccessToken>
let router = Router(context: Context.self)
router.add(middleware: ErrorAnswers())
router.get("health") { _, _ in "OK\n" }
router.group().add(middleware: Authentication(verifier))
    .group("hello", context: MemberContext<Context>.self)
    .get { _, context in
        switch context.signedIn.principal {
        case .user(let subject): "Hello, \(subject)\n"
        case .client(let id): "Hello, client \(id)\n"
        }
    }
try await Application(
    router: router, server: .http1(configuration: .bounded()),
    configuration: .init(address: .hostname("127.0.0.1", port: port))
).runService()
