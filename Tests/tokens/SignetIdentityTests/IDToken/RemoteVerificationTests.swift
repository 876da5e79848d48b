// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

/// A verifier whose keys are fetched: what the issuer is asked, and when.
@Suite("Verification with remote keys", .timeLimit(.minutes(20)))
struct RemoteVerificationTests {
    /// An issuer that publishes what a test says, and a verifier of its tokens.
    struct Setup {
        let clock = ManualClock()
        let transport: FakeTransport
        let verifier: IDTokenVerifier
        let fixture: ProviderFixture

        init(
            _ fixture: ProviderFixture, _ keys: [ProviderKey] = [.rsa],
            adjust: (inout TokenVerificationOptions) -> Void = { _ in }
        ) throws {
            self.fixture = fixture
            transport = FakeTransport(body: try Setup.jwks(keys))
            var options = fixture.options()
            options.keySet.clock = clock.source
            // Whatever a program writes here, only the provider's algorithms are loaded.
            options.keySet.algorithms = [.es512]
            adjust(&options)
            verifier = try IDTokenVerifier(
                fixture.provider, keys: .fetched(over: transport), options: options)
        }

        static func jwks(_ keys: [ProviderKey]) throws -> String {
            try KeySet(keys.map(\.verification)).jwksJSON()
        }

        func publish(_ keys: ProviderKey...) throws { transport.set(.body(try Setup.jwks(keys))) }

        func code(_ token: String) async -> IdentityError.Code? {
            await reason { () async throws(IdentityError) in
                try await verifier.verify(token, nonce: fixture.nonce)
            }?.code
        }
    }

    static let rotated = ProviderKey.made(.rs256, "rsa-2")

    @Test("A new key during an outage is retryable, not refused")
    func newKeyInAnOutage() async throws {
        let setup = try Setup(ProviderFixture.google())
        #expect(await setup.code(try setup.fixture.token()) == nil)
        setup.clock.advance(by: .seconds(31))
        setup.transport.set(.failure(TransportFailure(.unreachable, "down")))
        let token = try Self.rotated.token(setup.fixture.claims.json)
        for _ in 0..<2 { #expect(await setup.code(token) == .keySourceUnavailable) }
        #expect(setup.transport.count == 2, "the failure counts for the cooldown")
        #expect(await setup.code(try setup.fixture.token()) == nil, "keys in hand go on")
        try setup.publish(.rsa)
        setup.clock.advance(by: .seconds(31))
        #expect(await setup.code(token) == .unknownKid)
        try setup.publish(.rsa, Self.rotated)
        setup.clock.advance(by: .seconds(31))
        #expect(await setup.code(token) == nil)
    }

    @Test("Keys are fetched once, from the provider's address")
    func firstUse() async throws {
        let setup = try Setup(ProviderFixture.google())
        let token = try setup.fixture.token()
        #expect(try setup.verifier.verifyWithKeysInHand(token) == nil)
        for _ in 0..<5 { #expect(await setup.code(token) == nil) }
        #expect(setup.transport.count == 1)
        #expect(
            setup.transport.requests.all.first?.url.text
                == "https://www.googleapis.com/oauth2/v3/certs")
        #expect(try setup.verifier.verifyWithKeysInHand(token)?.subject == "110169484474386276334")
    }

    @Test("Each provider has its keys' address")
    func places() async throws {
        let places = [
            "google": "https://www.googleapis.com/oauth2/v3/certs",
            "apple": "https://appleid.apple.com/auth/keys",
            "entra":
                "https://login.microsoftonline.com/\(ProviderFixture.tenant)/discovery/v2.0/keys",
            "entra external":
                "https://\(ProviderFixture.tenant).ciamlogin.com/\(ProviderFixture.tenant)/discovery/v2.0/keys",
            "supabase": "https://abcdefghijklmnopqrst.supabase.co/auth/v1/.well-known/jwks.json",
            "firebase":
                "https://www.googleapis.com/robot/v1/metadata/x509/securetoken@system.gserviceaccount.com",
            "auth0": "https://tenant.eu.auth0.example/.well-known/jwks.json",
            "openid": "https://idp.example/.well-known/openid-configuration",
            "okta": "https://tenant.okta.example/oauth2/default/v1/keys",
            "keycloak": "https://sso.example/realms/main/protocol/openid-connect/certs",
            "cognito":
                "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbC/.well-known/jwks.json",
            "azure b2c":
                "https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_signin/discovery/v2.0/keys",
            "authentik": "https://sso.example/application/o/app/jwks/",
            "line": "https://api.line.me/oauth2/v2.1/certs",
            "twitch": "https://id.twitch.tv/oauth2/keys",
            "linkedin": "https://www.linkedin.com/oauth/openid/jwks",
            "slack": "https://slack.com/openid/connect/keys",
            "discord": "https://discord.com/api/oauth2/keys",
            "facebook": "https://limited.facebook.com/.well-known/oauth/openid/jwks/",
        ]
        for fixture in try ProviderFixture.all() {
            let setup = try Setup(fixture, [fixture.key])
            _ = await setup.code(try fixture.token())
            #expect(
                setup.transport.requests.all.first?.url.text == places[fixture.name],
                "\(fixture.name)")
        }
        let common = try ProviderFixture(
            name: "common", provider: .entra(tenants: .anyone, clientIDs: ["c"]), key: .rsa,
            claims: [:])
        let setup = try Setup(common)
        _ = try await setup.verifier.remoteKeys?.refresh()
        #expect(
            setup.transport.requests.all.first?.url.text
                == "https://login.microsoftonline.com/common/discovery/v2.0/keys")
    }

    @Test("After a rotation the new key is fetched at once, and the old one refused")
    func rotation() async throws {
        let setup = try Setup(ProviderFixture.google())
        let old = try setup.fixture.token()
        let new = try Self.rotated.token(setup.fixture.claims.json)
        #expect(await setup.code(old) == nil)
        try setup.publish(Self.rotated)
        #expect(try setup.verifier.verifyWithKeysInHand(new) == nil)
        #expect(await setup.code(new) == nil)
        #expect(setup.transport.count == 2)
        #expect(await setup.code(new) == nil)
        #expect(await setup.code(old) == .unknownKid)
        #expect(setup.transport.count == 3, "the issuer was asked, and has it no more")
    }

    @Test(
        "A flood of unknown kids causes three fetches, then one per cooldown; good tokens pass"
    )
    func flood() async throws {
        let setup = try Setup(ProviderFixture.google())
        let good = try setup.fixture.token()
        #expect(await setup.code(good) == nil)
        func madeUp(_ number: Int) throws -> String {
            try setup.fixture.token([:], header: #"{"alg":"RS256","kid":"kid-\#(number)"}"#)
        }
        for window in 0..<10 {
            var counts: [IdentityError.Code: Int] = [:]
            for number in 0..<100 {
                let code = try #require(await setup.code(try madeUp(100 * window + number)))
                counts[code, default: 0] += 1
                // No fetch is waited for, since there is no await.
                #expect(try setup.verifier.verifyWithKeysInHand(good) != nil)
            }
            let asked = window == 0 ? 3 : 1
            #expect(counts == [.unknownKid: asked, .keyHeldBack: 100 - asked])
            #expect(setup.transport.count == 1 + 3 + window)
            setup.clock.advance(by: .seconds(30))
        }
    }

    @Test("Good tokens wait for no fetch that made-up kids cause")
    func nobodyWaits() async throws {
        let setup = try Setup(ProviderFixture.google())
        let good = try setup.fixture.token()
        #expect(await setup.code(good) == nil)
        let gate = Gate()
        let keys = try Setup.jwks([.rsa])
        setup.transport.set { _ in
            await gate.pass()
            return .body(keys)
        }
        let (verifier, fixture) = (setup.verifier, setup.fixture)
        await withTaskGroup(of: IdentityError.Code?.self) { group in
            for number in 0..<100 {
                group.addTask {
                    await reason { () async throws(IdentityError) in
                        try await verifier.verify(
                            (try? fixture.token(
                                [:], header: #"{"alg":"RS256","kid":"kid-\#(number)"}"#))
                                ?? "")
                    }?.code
                }
            }
            while verifier.remoteKeys?.waitingCount != 100 { await Task.yield() }
            // The gate is shut: a good token that waited would wait forever.
            for _ in 0..<200 { #expect(await setup.code(good) == nil) }
            gate.open()
            for await code in group { #expect(code == .unknownKid) }
        }
        // All but the first came after the first fetch began, and share a second one.
        #expect(setup.transport.count == 3)
    }

    @Test(
        "A token whose key is held back gets a retry time: 503, or 401 by option",
        arguments: [(false, HTTPRefusal.unavailable, 30), (true, .invalidToken, nil)]
            as [(Bool, HTTPRefusal, Int?)])
    func heldBack(refuses: Bool, expected: HTTPRefusal, seconds: Int?) async throws {
        let setup = try Setup(ProviderFixture.google()) { $0.keySet.refusesHeldBackKeys = refuses }
        #expect(await setup.code(try setup.fixture.token()) == nil)
        let token = try Self.rotated.token(setup.fixture.claims.json)
        for _ in 0..<3 { #expect(await setup.code(token) == .unknownKid) }
        try setup.publish(.rsa, Self.rotated)
        let error = await reason { () async throws(IdentityError) in
            try await setup.verifier.verify(token, nonce: setup.fixture.nonce)
        }
        #expect(error?.code == .keyHeldBack && error?.retryAfterSeconds == seconds)
        #expect(error.map { HTTPRefusal($0) } == expected)
        #expect(error.map { HTTPRefusal($0).retryAfterSeconds } == seconds)
        setup.clock.advance(by: .seconds(30))
        #expect(await setup.code(token) == nil)
    }

    @Test("In an outage the answer says when to retry")
    func retryAfter() async throws {
        let setup = try Setup(ProviderFixture.google())
        setup.transport.set(.failure(TransportFailure(.unreachable, "down")))
        let token = try setup.fixture.token()
        var seconds = [Int?]()
        for _ in 0..<2 {
            let error = await reason { () async throws(IdentityError) in
                try await setup.verifier.verify(token)
            }
            seconds.append(error.flatMap { HTTPRefusal($0).retryAfterSeconds })
        }
        #expect(seconds == [nil, 1])
    }

    @Test("Malformed tokens start no fetch")
    func rubbishBeginsNothing() async throws {
        let events = Recorder<KeySetEvent>()
        let setup = try Setup(ProviderFixture.google()) {
            $0.keySet.onEvent = { events.append($0) }
        }
        for token in ["", "a.b.c", try setup.fixture.token([:], header: #"{"alg":"RS256"}"#)] {
            #expect(await setup.code(token) != nil)
            #expect(throws: IdentityError.self) { try setup.verifier.verifyWithKeysInHand(token) }
        }
        #expect(events.all.isEmpty)
        #expect(try setup.verifier.verifyWithKeysInHand(setup.fixture.token()) == nil)
        // The keys may be there by now.
        #expect(events.all.first?.kind == .refreshStarted)
    }

    @Test("Malformed tokens cause no fetch, with and without cached keys")
    func rubbish() async throws {
        let setup = try Setup(ProviderFixture.google())
        let token = try setup.fixture.token()
        let cases: [(String, IdentityError.Code)] = [
            ("", .malformed), ("a.b.c", .malformed), (token + "..", .encrypted),
            (String(repeating: "a", count: 20_000), .tooLarge),
            (try setup.fixture.token([:], header: #"{"alg":"none"}"#), .unsupportedAlg),
            (try setup.fixture.token([:], header: #"{"alg":"HS256","kid":"rsa-1"}"#), .algMismatch),
            (try setup.fixture.token([:], header: #"{"alg":"ES256","kid":"x"}"#), .algMismatch),
            (
                try setup.fixture.token([:], header: #"{"alg":"RS256","kid":"x","crit":[]}"#),
                .critUnknown
            ),
            (
                try setup.fixture.token([:], header: #"{"alg":"RS256","kid":"x","kid":"x"}"#),
                .duplicateMember
            ),
            (try setup.fixture.token([:], header: #"{"alg":"RS256"}"#), .unknownKid),
        ]
        for (token, expected) in cases { #expect(await setup.code(token) == expected) }
        #expect(setup.transport.count == 0)
        #expect(await setup.code(token) == nil)
        setup.clock.advance(by: .seconds(31))
        for (token, expected) in cases { #expect(await setup.code(token) == expected) }
        #expect(setup.transport.count == 1)
    }

    @Test(
        "Without keys, good and forged tokens are 503, malformed ones 401"
    )
    func outage() async throws {
        let setup = try Setup(ProviderFixture.google())
        setup.transport.set(.failure(TransportFailure(.unreachable, "down")))
        let good = try setup.fixture.token()
        let forged = try ProviderKey.foreignRSA.token(setup.fixture.claims.json)
        for token in [good, forged, good] {
            let error = await reason { () async throws(IdentityError) in
                try await setup.verifier.verify(token)
            }
            #expect(error?.code == .keySourceUnavailable && error?.claim == nil)
            #expect(error.map { HTTPRefusal($0) } == .unavailable)
        }
        #expect(await setup.code("a.b.c") == .malformed)
        #expect(setup.transport.count == 1, "a failure counts for the cooldown")
        try setup.publish(.rsa)
        setup.clock.advance(by: .seconds(31))
        #expect(await setup.code(good) == nil)
        #expect(await setup.code(forged) == .badSignature)
    }

    @Test("A caller cancelled during a fetch gets the retryable reason")
    func cancellation() async throws {
        let setup = try Setup(ProviderFixture.google())
        let gate = Gate()
        let keys = try Setup.jwks([.rsa])
        setup.transport.set { _ in
            await gate.pass()
            return .body(keys)
        }
        let token = try setup.fixture.token()
        let verifier = setup.verifier
        let task = Task {
            await reason { () async throws(IdentityError) in try await verifier.verify(token) }
        }
        await setup.transport.requests.wait(forCount: 1)
        task.cancel()
        #expect(await task.value?.code == .keySourceUnavailable)
        gate.open()
        // The fetch belonged to no caller, and continued.
        #expect(await setup.code(token) == nil)
        #expect(setup.transport.count == 1)
    }

    @Test("So does a caller that has keys and waits for another key")
    func cancellationWithKeysInHand() async throws {
        let setup = try Setup(ProviderFixture.google())
        #expect(await setup.code(try setup.fixture.token()) == nil)
        setup.clock.advance(by: .seconds(31))
        let gate = Gate()
        let keys = try Setup.jwks([.rsa, Self.rotated])
        setup.transport.set { _ in
            await gate.pass()
            return .body(keys)
        }
        let token = try Self.rotated.token(setup.fixture.claims.json)
        let verifier = setup.verifier
        let task = Task {
            await reason { () async throws(IdentityError) in try await verifier.verify(token) }
        }
        await setup.transport.requests.wait(forCount: 2)
        task.cancel()
        let error = await task.value
        #expect(error?.code == .keySourceUnavailable)
        #expect(error.map { HTTPRefusal($0) } == .unavailable)
        gate.open()
        #expect(await setup.code(token) == nil)
    }

    @Test(
        "Keys of algorithms that the provider does not use never verify"
    )
    func otherAlgorithms() async throws {
        let setup = try Setup(ProviderFixture.google(), [.rsa, .ec])
        #expect(await setup.code(try setup.fixture.token()) == nil)
        let elliptic = try ProviderKey.ec.token(setup.fixture.claims.json)
        #expect(await setup.code(elliptic) == .algMismatch)
        #expect(
            await setup.code(try setup.fixture.token([:], header: #"{"alg":"RS256","kid":"ec-1"}"#))
                == .keyUnusable)
        #expect(setup.transport.count == 2, "it may have been mended")
    }

    @Test(
        "Entra's keys verify for their own issuer only",
        arguments: [
            ("https://login.microsoftonline.com/{tenantid}/v2.0", nil),
            ("https://sts.windows.net/{tenantid}/", nil),
            ("https://login.microsoftonline.com/\(ProviderFixture.tenant)/v2.0", nil), (nil, nil),
            ("https://login.microsoftonline.com/\(ProviderFixture.otherTenant)/v2.0", .tenant),
            (
                "https://login.microsoftonline.com/\(EntraTenants.personalAccountsTenantID)/v2.0",
                .tenant
            ),
            ("", .tenant), ("{tenantid}", .tenant),
            ("https://evil.example/{tenantid}/v2.0", .tenant),
            ("https://login.microsoftonline.com/{tenantid}{tenantid}/v2.0", .tenant),
        ] as [(String?, IdentityError.Code?)])
    func keyIssuer(_ issuer: String?, _ expected: IdentityError.Code?) async throws {
        let base = try ProviderFixture.entra()
        let fixture = try ProviderFixture(
            name: "common", provider: .entra(tenants: .anyone, clientIDs: base.provider.clientIDs),
            key: base.key,
            claims: base.claims)
        try await expectKeyIssuer(issuer, fixture, expected)
    }

    @Test(
        "Entra External ID's keys verify for their own issuer only",
        arguments: [
            ("https://{tenantid}.ciamlogin.com/{tenantid}/v2.0", nil),
            ("https://\(ProviderFixture.tenant).ciamlogin.com/{tenantid}/v2.0", nil),
            ("https://{tenantid}.ciamlogin.com/\(ProviderFixture.otherTenant)/v2.0", .tenant),
            ("https://\(ProviderFixture.otherTenant).ciamlogin.com/{tenantid}/v2.0", .tenant),
        ] as [(String, IdentityError.Code?)])
    func externalKeyIssuer(_ issuer: String, _ expected: IdentityError.Code?) async throws {
        try await expectKeyIssuer(issuer, .entraExternalID(), expected)
    }

    private func expectKeyIssuer(
        _ issuer: String?, _ fixture: ProviderFixture, _ expected: IdentityError.Code?
    ) async throws {
        let setup = try Setup(fixture)
        if let issuer {
            let set = try Setup.jwks([.rsa]).replacing(
                #""kty""#, with: "\"issuer\":\"\(issuer)\",\"kty\"")
            #expect(set.contains("\"issuer\""))
            setup.transport.set(.body(set))
        }
        #expect(await setup.code(try fixture.token()) == expected, "\(issuer ?? "none")")
    }

    @Test("Remote keys of another issuer are refused")
    func foreignKeySet() throws {
        let apple = try RemoteKeySet(
            issuer: "https://appleid.apple.com",
            location: .keySet(EndpointURL("https://appleid.apple.com/auth/keys")),
            transport: FakeTransport(body: ""), options: .still)
        #expect(throws: IdentityConfigurationError(.contradiction, "")) {
            try IDTokenVerifier(
                try ProviderFixture.google().provider, keys: .shared(apple), options: .still)
        }
        let verifier = try IDTokenVerifier(
            try ProviderFixture.apple().provider, keys: .shared(apple), options: .still)
        #expect(verifier.remoteKeys === apple)
    }

    @Test("ID tokens and access tokens share one set of keys, by discovery")
    func shared() async throws {
        let jwks = try Setup.jwks([.rsa])
        let transport = FakeTransport { request in
            request.url.path.hasSuffix("openid-configuration")
                ? .body(#"{"issuer":"https://idp.example","jwks_uri":"https://idp.example/keys"}"#)
                : .body(jwks)
        }
        var options = KeySetOptions()
        options.clock = ManualClock().source
        let keys = try RemoteKeySet(
            issuer: "https://idp.example", transport: transport, options: options)
        let fixture = try ProviderFixture.openID()
        let people = try IDTokenVerifier(
            fixture.provider, keys: .shared(keys), options: fixture.options())
        let requests = try AccessTokenVerifier(
            .rfc9068(issuer: "https://idp.example", resources: ["https://api.example"]),
            keys: .shared(keys),
            options: fixture.options())
        #expect(try await people.verify(fixture.token()).subject == "u1")
        let access = try ProviderKey.rsa.token(
            AccessTokenTests.claims.json, header: AccessTokenTests.header)
        #expect(try await requests.verify(access).principal == .user("u1"))
        #expect(transport.count == 2)
    }

    @Test("Many threads verify while the keys change")
    func threads() async throws {
        let setup = try Setup(ProviderFixture.google(), [.rsa, Self.rotated])
        _ = try await setup.verifier.remoteKeys?.refresh()
        let tokens = try [setup.fixture.token(), Self.rotated.token(setup.fixture.claims.json)]
        let forged = try ProviderKey.foreignRSA.token(setup.fixture.claims.json)
        let verifier = setup.verifier
        let transport = setup.transport
        // Both keys are in each of the sets, which differ by a third.
        let sets = try [
            [.rsa, Self.rotated, ProviderKey.made(.rs256, "rsa-3")], [.rsa, Self.rotated],
        ].map {
            try Setup.jwks($0)
        }
        let changes = Task {
            for round in 0..<40 {
                transport.set(.body(sets[round % 2]))
                _ = try? await verifier.remoteKeys?.refresh()
            }
        }
        let failures = failuresOnThreads(rounds: 50) { thread, round in
            let good = try verifier.verifyWithKeysInHand(tokens[(thread + round) % 2]) != nil
            let bad = (try? verifier.verifyWithKeysInHand(forged)) == nil
            return good && bad
        }
        #expect(failures == 0)
        await changes.value
    }
}
