// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetCrypto
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport
import Testing

@Suite("SignIn")
struct SignInTests {
    static let key = SecretKey(copying: [UInt8](repeating: 7, count: 32))

    /// Both ways of keeping, freshly made.
    enum Kept: String, CaseIterable, Sendable {
        case cookie, store

        var keeping: SignIn.Keeping {
            switch self {
            case .cookie: .cookie(sealedWith: SignInTests.key)
            case .store: .store(MemorySignInStore(clock: .still))
            }
        }
    }

    let provider: StubProvider
    /// The server's. The provider's stands still.
    let clock = ManualClock()

    init() throws { provider = try StubProvider() }

    func signIn(
        _ keeping: SignIn.Keeping, redirectURI: String = StubProvider.redirectURI,
        _ authentication: ClientAuthentication = .clientSecretPost("secret"),
        _ change: (inout IdentityProvider) -> Void = { _ in }
    ) throws -> SignIn {
        var rules = try IdentityProvider.openID(
            issuer: StubProvider.issuer, clientIDs: [StubProvider.client], algorithms: [.es256])
        change(&rules)
        var options = TokenVerificationOptions.still
        options.clock = clock.source
        options.leeway = .seconds(300)
        return try SignIn(
            rules, authentication: authentication, redirectURI: redirectURI, keeping: keeping,
            transport: provider, options: options)
    }

    static func code(_ body: () async throws -> SignIn.Finished) async throws -> String {
        do {
            _ = try await body()
            return "signed in"
        } catch let error as SignInError {
            return error.code.rawValue
        }
    }

    @Test("A person signs in, and the kept text is returned", arguments: Kept.allCases)
    func signsIn(_ kept: Kept) async throws {
        let signIn = try signIn(kept.keeping)
        let begun = try await signIn.begin(
            applicationState: "/inbox\n?a=ü", additional: [("prompt", "login")])
        #expect(begun.url.contains("&prompt=login"))
        let query = try provider.signIn(begun.url)
        let done = try await signIn.finish(
            query: query, cookies: "a=b; \(SignInFixture.cookie(begun.setCookie)); c=d")
        #expect(done.identity.subject == "user" && done.applicationState == "/inbox\n?a=ü")
        #expect(done.tokens.accessToken == "at-secret")
        #expect(begun.setCookie.hasSuffix("; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=600"))
        #expect(begun.setCookie.hasPrefix("__Host-signet-signin-"))
        let name = try #require(begun.setCookie.split(separator: "=").first)
        #expect(done.clearedCookie == "\(name)=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0")
        // A native program's way.
        let second = try await signIn.begin()
        let url = StubProvider.redirectURI + "?" + (try provider.signIn(second.url, code: "code-2"))
        #expect(try await signIn.finish(url: url, ticket: second.ticket).identity.subject == "user")
    }

    @Test("Bad callbacks are refused", arguments: Kept.allCases)
    func refuses(_ kept: Kept) async throws {
        let signIn = try signIn(kept.keeping)
        let (own, other) = (try await signIn.begin(), try await signIn.begin())
        let query = try provider.signIn(own.url)
        let otherQuery = try provider.signIn(other.url, code: "code-2")
        let isCookie = kept == .cookie
        let cases: [(String, String, String)] = [
            ("no cookie", query, ""),
            ("another name", query, "__Host-signet-signin-x=\(own.ticket)"),
            (
                "a prefix of the ticket", query,
                String(SignInFixture.cookie(own.setCookie).dropLast(3))
            ),
            ("not base64url", query, SignInFixture.cookie(own.setCookie) + "=="),
            (
                "a long one", query,
                SignInFixture.cookie(own.setCookie) + String(repeating: "A", count: 10_000)
            ),
        ]
        for (what, query, cookies) in cases {
            let code = try await Self.code {
                try await signIn.finish(query: query, cookies: cookies)
            }
            #expect(code == "notPending", "\(what)")
        }
        // The ticket of another sign-in, for example an attacker's: login CSRF.
        let mixed = try await Self.code {
            try await signIn.finish(query: otherQuery, ticket: own.ticket)
        }
        #expect(mixed == (isCookie ? "stateMismatch" : "notPending"))
        for query in ["", "code=a", "code=a&state=", "code=a&state=short", "state=%", "a=b&a=b"] {
            let code = try await Self.code {
                try await signIn.finish(query: query, ticket: own.ticket)
            }
            #expect(["stateMissing", "malformed"].contains(code), "\(query): \(code)")
        }
        // None of this has used up the pending sign-in.
        #expect(provider.requests("/token") == 0)
        let done = try await signIn.finish(
            query: query, cookies: SignInFixture.cookie(own.setCookie))
        #expect(done.identity.subject == "user")
    }

    @Test("A change to any byte of a ticket is refused", arguments: Kept.allCases)
    func tampered(_ kept: Kept) async throws {
        let signIn = try signIn(kept.keeping)
        let begun = try await signIn.begin(applicationState: "text")
        let query = try provider.signIn(begun.url)
        let bytes = try Base64URL.decode(begun.ticket)
        for place in bytes.indices {
            var changed = bytes
            changed[place] ^= 1
            let code = try await Self.code {
                try await signIn.finish(query: query, ticket: Base64URL.encode(changed))
            }
            #expect(code == "notPending", "octet \(place)")
        }
    }

    @Test("A ticket is bound to its provider, client and redirect URI")
    func bound() async throws {
        let begun = try await signIn(.cookie(sealedWith: Self.key)).begin()
        let query = try provider.signIn(begun.url)
        let twin = try StubProvider(issuer: StubProvider.issuer + "/")
        let others = [
            try signIn(.cookie(sealedWith: Self.key), redirectURI: StubProvider.redirectURI + "2"),
            try signIn(.cookie(sealedWith: SecretKey(copying: [UInt8](repeating: 8, count: 32)))),
            try SignIn(
                .openID(issuer: StubProvider.issuer, clientIDs: ["other"], algorithms: [.es256]),
                authentication: .none,
                redirectURI: StubProvider.redirectURI, keeping: .cookie(sealedWith: Self.key),
                transport: provider, options: .still),
            try SignIn(
                .openID(
                    issuer: StubProvider.issuer + "/", clientIDs: [StubProvider.client],
                    algorithms: [.es256]),
                authentication: .none, redirectURI: StubProvider.redirectURI,
                keeping: .cookie(sealedWith: Self.key), transport: twin, options: .still),
        ]
        for (index, other) in others.enumerated() {
            let code = try await Self.code {
                try await other.finish(query: query, ticket: begun.ticket)
            }
            #expect(code == "notPending", "\(index)")
        }
        #expect(provider.requests("/token") == 0)
        // After a change of keys.
        let next = SecretKey(copying: [UInt8](repeating: 8, count: 32))
        let done = try await signIn(.cookie(sealedWith: next, previous: [Self.key]))
            .finish(query: query, ticket: begun.ticket)
        #expect(done.identity.subject == "user")
    }

    /// A server that is updated must finish the sign-ins that are on their way.
    @Test("A ticket is five lines, sealed as earlier versions of Signet seal them")
    func form() async throws {
        let signIn = try signIn(.cookie(sealedWith: Self.key))
        let begun = try await signIn.begin(applicationState: "/inbox\n")
        let query = try provider.signIn(begun.url)
        let context = Array(
            """
            signet sign-in
            \(StubProvider.issuer)
            \(StubProvider.client)
            \(StubProvider.redirectURI)
            """.utf8)
        let lines = try XAES256GCM.open(
            Base64URL.decode(begun.ticket), using: Self.key, authenticating: context)
        let fields = lines.split(separator: 0x0a, maxSplits: 4, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        #expect(fields.count == 5 && fields.first == "1780000600" && fields.last == "/inbox\n")
        for pair in ["state=\(fields[1])", "nonce=\(fields[2])"] {
            #expect(begun.url.split(separator: "&").contains(Substring(pair)))
        }
        let earlier = try XAES256GCM.seal(lines, using: Self.key, authenticating: context)
        let done = try await signIn.finish(query: query, ticket: Base64URL.encode(earlier))
        #expect(done.identity.subject == "user" && done.applicationState == "/inbox\n")
        for text in ["", "1780000600", "x\n\n\n\n", "1780000600\n\n\n"] {
            let other = try XAES256GCM.seal(text.utf8, using: Self.key, authenticating: context)
            let code = try await Self.code {
                try await signIn.finish(query: query, ticket: Base64URL.encode(other))
            }
            #expect(code == "malformed", "\(text)")
        }
    }

    @Test("A sign-in expires after ten minutes", arguments: Kept.allCases, [599.0, 600.0])
    func expires(_ kept: Kept, after seconds: Double) async throws {
        let signIn = try signIn(kept.keeping)
        let begun = try await signIn.begin()
        let query = try provider.signIn(begun.url)
        clock.advance(by: .seconds(seconds))
        let code = try await Self.code {
            try await signIn.finish(query: query, ticket: begun.ticket)
        }
        #expect(code == (seconds >= 600 ? "expired" : "signed in"))
    }

    @Test("Of fifty concurrent callbacks one gets the record from a store")
    func once() async throws {
        let signIn = try signIn(.store(MemorySignInStore(clock: .still)))
        let begun = try await signIn.begin()
        let query = try provider.signIn(begun.url)
        let codes = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await Self.code {
                        try await signIn.finish(query: query, ticket: begun.ticket)
                    }
                }
            }
            return try await group.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        }
        #expect(codes == ["signed in": 1, "notPending": 49])
        for code in [AuthorizationError.Code.notPending, .expired] {
            #expect(SignInError.authorization(AuthorizationError(code, "")).shouldBeginAgain)
        }
        #expect(provider.requests("/token") == 1)
    }

    @Test("With a cookie, the provider's one-time code stops a second use")
    func replayed() async throws {
        let signIn = try signIn(.cookie(sealedWith: Self.key))
        let begun = try await signIn.begin()
        let query = try provider.signIn(begun.url)
        _ = try await signIn.finish(query: query, ticket: begun.ticket)
        await #expect(
            throws: SignInError.authorization(
                AuthorizationError(.refused, refusal: ProviderRefusal(error: "invalid_grant"), ""))
        ) { try await signIn.finish(query: query, ticket: begun.ticket) }
    }

    @Test("Bad token answers are refused", arguments: Kept.allCases)
    func tokens(_ kept: Kept) async throws {
        let answers: [(String, @Sendable (StubProvider, String?) throws -> String?)] = [
            ("nonceMismatch", { provider, _ in try provider.token(nonce: "another-sign-in") }),
            ("nonceMissing", { provider, _ in try provider.token(nonce: nil) }),
            ("invalidResponse", { _, _ in nil }),
            ("malformed", { _, _ in "no token" }),
            (
                "badSignature",
                { provider, nonce in
                    String(try provider.token(nonce: nonce).dropLast(6)) + "AAAAAA"
                }
            ),
        ]
        let signIn = try signIn(kept.keeping)
        for (wanted, answer) in answers {
            let begun = try await signIn.begin()
            let query = try provider.signIn(begun.url)
            provider.state.withLock { $0.idToken = answer }
            let code = try await Self.code {
                try await signIn.finish(query: query, ticket: begun.ticket)
            }
            #expect(code == wanted)
        }
    }
}
