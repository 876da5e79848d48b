// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

@Suite("Back-channel logout tokens")
struct BackChannelLogoutTests {
    static let event = "http://schemas.openid.net/event/backchannel-logout"
    static let events = #"{"http://schemas.openid.net/event/backchannel-logout":{}}"#

    /// A store that fails on purpose.
    struct BrokenStore: LogoutReplayStore {
        struct Failure: Error {}
        let claimsFail: Bool
        func claim(
            _ name: String, forSeconds seconds: Int, running work: () async throws -> Void
        ) async throws -> Bool {
            if !claimsFail { try await work() }
            throw Failure()
        }
    }

    /// A store that reports what it was given.
    final class RecordingStore: LogoutReplayStore {
        let kept = Recorder<(String, Int)>()
        func claim(
            _ name: String, forSeconds seconds: Int, running work: () async throws -> Void
        ) async throws -> Bool {
            kept.append((name, seconds))
            try await work()
            return true
        }
    }

    let fixture: ProviderFixture
    let ended = Recorder<VerifiedLogout>()

    init() throws {
        let openID = try ProviderFixture.openID()
        fixture = try ProviderFixture(
            name: "logout",
            provider: .openID(issuer: "https://idp.example", clientIDs: ["client"]),
            key: openID.key,
            claims: [
                "iss": #""https://idp.example""#, "aud": #""client""#, "iat": "1800000000",
                "exp": "1800000120", "jti": #""j-1""#, "events": Self.events, "sub": #""alice""#,
                "sid": #""s-1""#,
            ])
    }

    func logouts(
        _ replays: some LogoutReplayStore = MemoryLogoutReplayStore(clock: .still),
        decryption: IDTokenVerifier.Decryption = .notOffered, at now: Int = ProviderFixture.now
    ) throws -> BackChannelLogout {
        try BackChannelLogout(
            fixture.provider, keys: .inHand(fixture.key.set), replays: replays,
            decryption: decryption, options: fixture.options(at: now))
    }

    func header(_ type: String?) -> String {
        let type = type.map { #","typ":"\#($0)""# } ?? ""
        return #"{"alg":"RS256","kid":"\#(fixture.key.keyID)"\#(type)}"#
    }

    func receive(_ token: String, _ logouts: BackChannelLogout? = nil) async throws
        -> BackChannelLogout.Answer
    {
        try await (logouts ?? self.logouts()).receive(token) { ended.append($0) }
    }

    @Test(
        "typ is logout+jwt, JWT or absent",
        arguments: ["logout+jwt", "application/logout+jwt", "LOGOUT+JWT", "JWT", nil])
    func types(_ type: String?) async throws {
        let answer = try await receive(fixture.token(header: header(type)))
        #expect(answer.status == 200 && answer.error == nil && answer.cacheControl == "no-store")
        let logout = try #require(ended.all.first)
        #expect(logout.issuer == "https://idp.example" && logout.sessionID == "s-1")
        #expect(logout.subject == "alice")
        #expect(logout.identityKey?.description == "https://idp.example alice")
        #expect(logout.issuedAt.secondsSince1970 == 1_800_000_000)
    }

    @Test("An empty expected typ is a configuration error", arguments: ["", "application/"])
    func emptyType(_ type: String) throws {
        #expect(throws: TokenError(.invalidPolicy, "")) {
            try TokenPolicy(issuer: "i", audience: ["a"], type: .jwtOr(type), clock: .still)
        }
    }

    @Test("Any other typ is refused", arguments: ["at+jwt", "secevent+jwt", "logout", ""])
    func otherTypes(_ type: String) async throws {
        let answer = try await receive(fixture.token(header: header(type)))
        #expect((answer.error as? IdentityError)?.code == .typeMismatch && answer.status == 400)
        #expect(ended.all.isEmpty)
    }

    static let refusals = [
        ClaimCase("no events", ["events": nil], .claimMissing, "events"),
        ClaimCase("events of null", ["events": "null"], .claimMissing, "events"),
        ClaimCase("events without the logout", ["events": "{}"], .typeMismatch, "events"),
        ClaimCase(
            "events that are a list", ["events": #"["\#(event)"]"#], .typeMismatch, "events"),
        ClaimCase("an event of null", ["events": #"{"\#(event)":null}"#], .typeMismatch, "events"),
        ClaimCase("an event that is true", ["events": #"{"\#(event)":true}"#], .typeMismatch),
        ClaimCase("an event with a slash", ["events": #"{"\#(event)/":{}}"#], .typeMismatch),
        ClaimCase("https", ["events": #"{"https\#(event.dropFirst(4))":{}}"#], .typeMismatch),
        ClaimCase("a nonce", ["nonce": #""n""#], .typeMismatch, "nonce"),
        ClaimCase("an empty nonce", ["nonce": #""""#], .typeMismatch, "nonce"),
        ClaimCase("another issuer", ["iss": #""https://evil.example""#], .issuer, "iss"),
        ClaimCase("another client", ["aud": #""other""#], .audienceMissing, "aud"),
        ClaimCase(
            "for others as well", ["aud": #"["client","other"]"#], .audienceUntrusted, "aud"),
        ClaimCase("no iat", ["iat": nil], .claimMissing, "iat"),
        ClaimCase("issued in the future", ["iat": "1800000100"], .issuedInFuture, "iat"),
        ClaimCase("no exp", ["exp": nil], .claimMissing, "exp"),
        ClaimCase("over", ["iat": "1799999000", "exp": "1799999900"], .expired, "exp"),
        ClaimCase("good for ever", ["exp": "4000000000"], .lifetimeTooLong, "exp"),
        ClaimCase("no jti", ["jti": nil], .claimMissing, "jti"),
        ClaimCase("an empty jti", ["jti": #""""#], .claimInvalid, "jti"),
        ClaimCase("a jti that is a number", ["jti": "7"], .claimInvalid, "jti"),
        ClaimCase("neither sub nor sid", ["sub": nil, "sid": nil], .claimMissing, "sub"),
        ClaimCase("an empty sub", ["sub": #""""#], .subject, "sub"),
        ClaimCase("a sub that is a number", ["sub": "7"], .subject, "sub"),
        ClaimCase("an empty sid", ["sid": #""""#], .claimInvalid, "sid"),
        ClaimCase("a sid that is a number", ["sid": "7"], .claimInvalid, "sid"),
    ]

    @Test("Bad claims are refused, each with its code", arguments: refusals)
    func refused(_ one: ClaimCase) async throws {
        let answer = try await receive(
            fixture.token(one.edits, header: header("logout+jwt")))
        let error = answer.error as? IdentityError
        #expect(error?.code == one.code, "\(one.name): \(answer.error as Any)")
        if let claim = one.claim { #expect(error?.claim == claim) }
        #expect(answer.status == 400 && answer.logout == nil && ended.all.isEmpty)
    }

    @Test("A token may name a person or a session")
    func parts() async throws {
        _ = try await receive(fixture.token(["sid": nil]))
        _ = try await receive(fixture.token(["sub": nil]))
        #expect(ended.all.map(\.sessionID) == [nil, "s-1"])
        #expect(ended.all.map { $0.identityKey?.subject } == ["alice", nil])
    }

    @Test("Signatures and algorithms are those of ID tokens")
    func signatures() async throws {
        let none = Base64URL.encode(#"{"alg":"none"}"#.utf8) + "."
        let cases: [(String, IdentityError.Code)] = [
            (try ProviderKey.foreignRSA.token(fixture.claims.json), .badSignature),
            (none + Base64URL.encode(fixture.claims.json.utf8) + ".", .unsupportedAlg),
            (try ProviderKey.ec.token(fixture.claims.json), .algMismatch),
            ("", .malformed), ("a.b.c", .malformed),
            (String(repeating: "a", count: 20_000), .tooLarge),
        ]
        for (token, code) in cases {
            let answer = try await receive(token)
            #expect((answer.error as? IdentityError)?.code == code, "\(answer.error as Any)")
        }
        #expect(ended.all.isEmpty)
    }

    @Test("Logout tokens, ID tokens and access tokens do not pass for each other")
    func otherKinds() async throws {
        let idToken = try fixture.token(["events": nil, "jti": #""j""#, "sid": nil])
        let answer = try await receive(idToken)
        #expect((answer.error as? IdentityError)?.claim == "events")
        // What an API that is the client itself would accept, if it had no events.
        var profile = try AccessTokenProfile(
            issuer: "https://idp.example", audience: .anyOf(["client"]))
        profile.client = .any
        let verifier = try AccessTokenVerifier(
            profile, keys: .inHand(fixture.key.set), options: fixture.options())
        let logout = try fixture.token()
        let error = await reason { () async throws(IdentityError) in
            try await verifier.verify(logout)
        }
        #expect(error == IdentityError(.typeMismatch, claim: "events", ""))
        // A claim of this name that an application invented does not make a logout token.
        let own = try fixture.token(["events": #"["opened"]"#])
        _ = try await verifier.verify(own)
        let identities = try fixture.verifier()
        for type in ["logout+jwt", "JWT"] {
            let token = try fixture.token(header: header(type))
            let error = await reason { () async throws(IdentityError) in
                try await identities.verify(token)
            }
            #expect(error?.code == .typeMismatch)
        }
    }

    @Test("A token counts once until it expires, and servers can share that memory")
    func replays() async throws {
        let store = MemoryLogoutReplayStore(clock: .still)
        let token = try fixture.token()
        let servers = [try logouts(store), try logouts(store)]
        #expect(try await receive(token, servers[0]).status == 200)
        for server in servers {
            let answer = try await receive(token, server)
            #expect(answer.error as? IdentityError == IdentityError(.replayed, claim: "jti", ""))
            #expect(answer.status == 400)
        }
        #expect(try await receive(fixture.token(["jti": #""j-2""#]), servers[1]).status == 200)
        #expect(ended.all.count == 2)
        let recording = RecordingStore()
        _ = try await receive(token, logouts(recording))
        let (name, seconds) = try #require(recording.kept.all.first)
        // To its end, the leeway and a second.
        #expect(name.utf8.count == 43 && seconds == 151)
    }

    @Test("A local failure is reported, and the provider's retry ends the sessions")
    func failures() async throws {
        struct Failure: Error {}
        let store = MemoryLogoutReplayStore(clock: .still)
        let server = try logouts(store)
        let token = try fixture.token()
        let failed = await server.receive(token) { _ in throw Failure() }
        #expect(failed.status == 400 && failed.error is Failure && failed.logout != nil)
        #expect(try await receive(token, server).status == 200)
        for claimsFail in [true, false] {
            let answer = try await receive(token, logouts(BrokenStore(claimsFail: claimsFail)))
            #expect(answer.status == 400 && answer.error is BrokenStore.Failure)
        }
        #expect(ended.all.count == 2, "the second store failed after the sessions had ended")
    }

    @Test("Of many claims of one name at once exactly one wins and runs its work")
    func claims() async throws {
        let store = MemoryLogoutReplayStore(clock: .still)
        for round in 0..<20 {
            let runs = Recorder<Int>()
            let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<64 {
                    group.addTask {
                        try await store.claim("\(round)", forSeconds: 10) {
                            await Task.yield()
                            runs.append(number)
                        }
                    }
                }
                var count = 0
                for try await isFirst in group where isFirst { count += 1 }
                return count
            }
            #expect(winners == 1 && runs.all.count == 1)
        }
    }

    @Test("A copy that comes while the first one fails ends the sessions")
    func copies() async throws {
        struct Failure: Error {}
        let store = MemoryLogoutReplayStore(clock: .still)
        let copy = Recorder<Task<Bool, any Error>>()
        await #expect(throws: Failure.self) {
            try await store.claim("a", forSeconds: 10) {
                copy.append(Task { try await store.claim("a", forSeconds: 10) {} })
                try await Task.sleep(for: .milliseconds(300))
                throw Failure()
            }
        }
        #expect(try await copy.all[0].value)
        #expect(try await !store.claim("a", forSeconds: 10) {})
    }

    @Test(
        "A copy waits 75 s for the first one's work, and is then told to come again",
        .timeLimit(.minutes(20)))
    func endlessWork() async throws {
        let clock = ManualClock()
        let store = MemoryLogoutReplayStore(clock: clock.source)
        let (isWorking, gate) = (Locked(false), AsyncStream.makeStream(of: Void.self))
        let first = Task {
            try await store.claim("a", forSeconds: 200) {
                isWorking.withLock { $0 = true }
                for await _ in gate.stream {}
            }
        }
        while !isWorking.withLock({ $0 }) { await Task.yield() }
        let copy = Task { try await store.claim("a", forSeconds: 200) {} }
        for step in [74.9, 0.2] {
            while clock.sleeperCount == 0 { await Task.yield() }
            clock.advance(by: .seconds(step))
        }
        await #expect(throws: MemoryLogoutReplayStore.Busy.self) { try await copy.value }
        gate.continuation.finish()
        #expect(try await first.value)
        #expect(try await !store.claim("a", forSeconds: 200) {})
    }

    @Test("A token that comes many times at once ends its sessions once")
    func simultaneous() async throws {
        let store = MemoryLogoutReplayStore(clock: .still)
        let servers = [try logouts(store), try logouts(store)]
        let token = try fixture.token()
        let ended = ended
        let statuses = await withTaskGroup(of: Int.self) { group in
            for number in 0..<32 {
                group.addTask {
                    await servers[number % 2].receive(token) {
                        await Task.yield()
                        ended.append($0)
                    }.status
                }
            }
            return await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 200 }.count == 1 && ended.all.count == 1)
    }

    @Test("A full memory accepts no more until entries expire, and ends sessions all the same")
    func full() async throws {
        let clock = ManualClock()
        let store = MemoryLogoutReplayStore(maximumCount: 2, clock: clock.source)
        #expect(try await store.claim("a", forSeconds: 10) {})
        #expect(try await store.claim("b", forSeconds: 20) {})
        #expect(try await !store.claim("b", forSeconds: 20) {})
        let ran = Recorder<String>()
        await #expect(throws: MemoryLogoutReplayStore.Full.self) {
            try await store.claim("c", forSeconds: 20) { ran.append("c") }
        }
        #expect(ran.all == ["c"])
        clock.advance(by: .seconds(11))
        #expect(try await store.claim("c", forSeconds: 20) {})
        #expect(try await !store.claim("b", forSeconds: 20) {})
        #expect(try await !store.claim("c", forSeconds: 20) {})
        clock.advance(by: .seconds(10))
        #expect(try await store.claim("a", forSeconds: 20) {})
    }

    @Test(
        "The form must hold the token once",
        arguments: [
            "", "logout_token", "logout_token=", "token=T", "logout_token=T&logout_token=T",
            "logout_token=%zz", "LOGOUT_TOKEN=T", "logout_token%00=T",
        ])
    func forms(_ form: String) async throws {
        let token = try fixture.token()
        let body = form.replacing("T", with: token)
        let answer = try await logouts().receive(form: body) { ended.append($0) }
        #expect(answer.status == 400 && (answer.error as? IdentityError)?.code == .malformed)
        let encoded = token.replacing(".", with: "%2E")
        let good = try await logouts().receive(form: "x=1&logout_token=\(encoded)") {
            ended.append($0)
        }
        #expect(good.status == 200)
    }

    @Test("A logout token is encrypted to the key of ID tokens where the program says so")
    func encrypted() async throws {
        let keys = try DecryptionKeySet(current: .generate(.ecdhESA256KW, keyID: "e1"))
        let encrypter = try JWEEncrypter(
            to: EncryptionKey(jwk: JWK(keys.publicJSON())), content: .a256GCM, contentType: "JWT")
        let signed = try fixture.token()
        let token = try encrypter.encrypt(signed.utf8)
        // What anybody can encrypt.
        let claims = try encrypter.encrypt(fixture.claims.json.utf8)
        let idToken = try encrypter.encrypt(fixture.token(["events": nil]).utf8)
        let cases: [(String, IDTokenVerifier.Decryption, IdentityError.Code?)] = [
            (token, .required(keys), nil), (token, .offered(keys), nil),
            (token, .notOffered, .encrypted), (signed, .required(keys), .notEncrypted),
            (signed, .offered(keys), nil), (claims, .required(keys), .malformed),
            (idToken, .required(keys), .claimMissing),
        ]
        for (token, decryption, code) in cases {
            let answer = try await receive(token, logouts(decryption: decryption))
            #expect((answer.error as? IdentityError)?.code == code)
            #expect(answer.status == (code == nil ? 200 : 400))
        }
        #expect(ended.all.map(\.sessionID) == ["s-1", "s-1", "s-1"])
    }

    @Test("Entra is refused, and unreachable keys are reported")
    func configuration() async throws {
        let entra = try ProviderFixture.entra().provider
        #expect(throws: IdentityConfigurationError(.contradiction, "")) {
            try BackChannelLogout(
                entra, keys: .inHand(fixture.key.set),
                replays: MemoryLogoutReplayStore(clock: .still), options: .still)
        }
        let remote = try BackChannelLogout(
            fixture.provider,
            keys: .fetched(over: FakeTransport(.failure(TransportFailure(.unreachable, "")))),
            replays: MemoryLogoutReplayStore(clock: .still), options: fixture.options())
        let answer = try await receive(fixture.token(), remote)
        #expect((answer.error as? IdentityError)?.code == .keySourceUnavailable)
        #expect(answer.status == 400)
    }
}
