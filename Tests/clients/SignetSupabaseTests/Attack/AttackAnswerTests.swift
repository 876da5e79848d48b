// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import SignetIdentity
import SignetJOSE
import SignetSupabase
import TestSupport
import Testing

/// Found by attacking: what was lost, accepted or misnamed.
struct AttackAnswerTests {
    /// An access token for a user, as far as a client can read it.
    static func token(_ payload: String) -> String {
        "\"eyJhbGciOiJFUzI1NiJ9." + Base64URL.encode(Array(payload.utf8)) + ".c2ln\""
    }

    static let damagedUsers: [String?] = [
        nil, "null", "{}", "[]", "\"x\"", #"{"id":null}"#, #"{"id":7}"#, #"{"id":"a b"}"#,
    ]

    /// The spent token cannot come back: the access token also says whose it is.
    @Test("A refresh whose user is damaged keeps the rotated tokens", arguments: damagedUsers)
    func aDamagedUserLosesNoRotatedToken(_ user: String?) async throws {
        let access = Self.token("{\"sub\":\"\(Fixture.userID)\"}")
        let body = Fixture.session([
            "user": user, "access_token": access, "refresh_token": "\"rotated\"",
        ])
        let manager = try SessionBackendTests.manager(FakeTransport(body: body))
        try await manager.adopt(SessionBackendTests.grant())
        let old = try await manager.accessToken()
        let next = try await manager.afterUnauthorized(old)
        #expect(next.map { "\"\($0.exposedText)\"" } == access)
        // What the application shows stays.
        guard case .signedIn(let session) = manager.state else { throw Unexpected() }
        #expect(session.id == Fixture.userID && session.profile == Fixture.user)
    }

    struct Unexpected: Error {}

    @Test(
        "A refresh for another person, or for none, is refused",
        arguments: [
            #"{"sub":"00000000-0000-4000-8000-000000000000"}"#, #"{"sub":""}"#, #"{"sub":null}"#,
            "{}", "[]", "", #"{"sub":"a","sub":"a"}"#,
        ])
    func aDifferentPersonIsRefused(_ payload: String) async throws {
        let body = Fixture.session(["user": nil, "access_token": Self.token(payload)])
        let manager = try SessionBackendTests.manager(FakeTransport(body: body))
        try await manager.adopt(SessionBackendTests.grant())
        let old = try await manager.accessToken()
        let error = await failure { () async throws(SessionError) in
            _ = try await manager.afterUnauthorized(old)
        }
        #expect(error?.code == .invalidAnswer)
        #expect(try await manager.accessToken() == old)
    }

    /// A sign-in has no person to compare with: it needs the server to name the user.
    @Test("A sign-in whose answer names no user is refused")
    func aSignInNeedsItsUser() async throws {
        let access = Self.token("{\"sub\":\"\(Fixture.userID)\"}")
        let body = Fixture.session(["user": nil, "access_token": access])
        #expect(try await HostileAnswerTests.verify(.body(body))?.code == .invalidAnswer)
    }

    /// Metadata that a program could write comes back more deeply nested, in `user_metadata` and in
    /// an identity: no user is locked out by it.
    @Test("Metadata nested as deeply as may be written can be read")
    func whateverIsWrittenIsRead() async throws {
        var metadata = JSONValue.bool(true)
        // With the request's own object and `data`, the 32 that are written.
        for _ in 0..<30 { metadata = .object(["a": metadata]) }
        let transport = FakeTransport(body: Fixture.user)
        var change = SupabaseUserChange()
        change.metadata = ["a": metadata]
        _ = try await Fixture.auth(transport).update(change, with: Fixture.token)
        let sent = try #require(transport.requests.all.first).text
        let data = sent.dropFirst(#"{"data":"#.count).dropLast()
        let user = """
            {"id":"\(Fixture.userID)","user_metadata":\(data),\
            "identities":[{"provider":"email","identity_data":\(data)}]}
            """
        let auth = try Fixture.auth(FakeTransport(body: Fixture.session(user: user)))
        let grant = try await auth.refresh(RefreshToken("r"))
        let profile = try #require(grant.profile)
        #expect(try SupabaseUser(profile: profile).id == Fixture.userID)
    }

    /// Go writes a time that was never set as the first moment of the year 1.
    @Test(
        "A confirmation time before 1970 confirms no address",
        arguments: ["0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z"])
    func aMissingTimeIsNoConfirmation(_ time: String) async throws {
        let user = """
            {\(EmailEvidenceTests.address),\(EmailEvidenceTests.identity),\
            "email_confirmed_at":"\(time)"}
            """
        #expect(try await EmailEvidenceTests.evidence(user: user).evidence == .none)
    }

    /// A middlebox is not a missing network, and a request that was not sent is not a missing
    /// answer.
    @Test(
        "A transport's failure keeps its meaning",
        arguments: [
            (TransportFailure.Code.notPinned, SupabaseError.Code.notTrusted),
            (.invalidRequest, .invalidInput), (.unreachable, .unreachable),
        ])
    func failuresKeepTheirNames(
        _ given: TransportFailure.Code, _ wanted: SupabaseError.Code
    ) async throws {
        let error = try await HostileAnswerTests.verify(.failure(TransportFailure(given, "")))
        #expect(error?.code == wanted)
    }

    /// A browser rewrites an address in its own way before it goes there.
    @Test(
        "A browser's spelling of the redirect address is accepted",
        arguments: [
            ("https://app.example", "https://app.example/"),
            ("https://App.Example/cb", "https://app.example/cb"),
            ("https://app.example:443/cb", "https://app.example/cb"),
            ("http://localhost:4000", "http://localhost:4000/"),
        ])
    func aBrowsersSpellingIsTheSameAddress(_ redirect: String, _ called: String) async throws {
        let auth = try Fixture.auth(FakeTransport(body: Fixture.session))
        let (signIn, _) = try BrowserTests.signIn(auth, redirect)
        let grant = try await auth.exchange(url: called + "?code=abc#sb=", of: signIn)
        #expect(grant.userID == Fixture.userID)
    }

    @Test(
        "Any other address is refused, and its code is not sent",
        arguments: [
            "https://app.example/CB", "https://app.example/cb/", "http://app.example/cb",
            "https://app.example:444/cb", "https://app.example.evil/cb", "https://a@app.example/cb",
            "https://app.example/", "https://app.example",
        ])
    func noOtherAddressIs(_ called: String) async throws {
        let transport = FakeTransport(body: Fixture.session)
        let auth = try Fixture.auth(transport)
        let (signIn, _) = try BrowserTests.signIn(auth, "https://app.example/cb")
        let error = await failure { () async throws(SupabaseError) in
            _ = try await auth.exchange(url: called + "?code=abc", of: signIn)
        }
        #expect(error?.code == .invalidCallback)
        #expect(transport.count == 0)
    }
}
