// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCurl
import SignetEmail
import SignetIdentity
import SignetJOSE
import SignetLogin
import SignetSupabase
import TestSupport
import Testing

@Suite("The ways to sign in", .timeLimit(.minutes(20)))
struct WayTests {
    @Test("In a browser on this machine")
    func loopback() async throws {
        let fixture = try AccountFixture()
        let provider = try StubProvider()
        let program = try fixture.program(over: provider)
        let account = program.account(
            at: .openID(
                issuer: StubProvider.issuer, clientID: StubProvider.client, algorithms: [.es256]))
        let addresses = Recorder<String>()
        let browser = Task {
            await addresses.wait(forCount: 1)
            return try await Self.browse(try #require(addresses.all.first), provider)
        }
        let user = try await account.signIn(
            .loopback(opensBrowser: false) { prompt in
                if case .address(let address, isOpening: false) = prompt {
                    addresses.append(address)
                }
            })
        #expect(try await browser.value == 200)
        #expect(user.id == "user" && user.name == "user")
        let isTold = fixture.notices.all.contains {
            if case .noRefreshToken(_, leftOut: false) = $0 { true } else { false }
        }
        #expect(isTold)
    }

    /// Opens the address, signs in, and comes back: the last page's status.
    private static func browse(_ address: String, _ provider: StubProvider) async throws -> Int {
        let first = try await CurlTransport.curl.exchange(
            TransportRequest(url: EndpointURL(address)))
        let location = try #require(first.values(of: "location").first)
        let query = try provider.signIn(location)
        let port = try #require(address.split(separator: "/").dropFirst().first)
        return try await CurlTransport.curl.exchange(
            TransportRequest(url: EndpointURL("http://\(port)/callback?\(query)"))
        ).status
    }

    private static let session =
        #"{"access_token":"at-1","token_type":"bearer","expires_in":3600,"refresh_token":"rt-1","#
        + #""user":{"id":"d1b1ca60-9d6b-4f6c-9c4c-2a6f7d5b8a10","phone":"14155551234"}}"#

    private static let project = LoginServer.supabase(
        url: "https://ref.supabase.co", publishableKey: "sb_publishable_x")

    /// A project whose code is 012345.
    private static func transport() -> FakeTransport {
        FakeTransport { request in
            let body = String(decoding: request.body?.bytes ?? [], as: UTF8.self)
            let json = ["Content-Type": "application/json"]
            if request.url.path.hasSuffix("/otp") { return .body("{}", json) }
            guard request.url.path.hasSuffix("/verify"), body.contains("012345") else {
                return .status(
                    403, json, body: #"{"code":"otp_expired","message":"words of the server"}"#)
            }
            return .body(session, json)
        }
    }

    @Test("With a code by phone, of three tries")
    func code() async throws {
        let fixture = try AccountFixture()
        let program = try fixture.program(over: Self.transport())
        let account = program.account(at: Self.project)
        let phone = SupabaseDestination.phone(try PhoneNumber("+14155551234"))
        let typed = Locked(["12345", "999999", "012345"][...])
        let prompts = Recorder<String>()
        let user = try await account.signIn(
            .code(to: phone) { prompt in
                prompts.append("\(prompt)")
                return typed.withLock { $0.popFirst() } ?? ""
            })
        #expect(user.name == "+14155551234")
        #expect(
            prompts.all == [
                "A code was sent to +14155551234", "Please enter the 6-digit code",
                "Invalid code. Please try again.",
            ])
        #expect(try await account.token().exposedText == "at-1")

        let other = program.account("other", at: Self.project)
        let wrong = await failure {
            try await other.signIn(.code(to: phone) { _ in "999999" })
        }
        #expect(wrong == .wrongCode)
        #expect(await other.failure() == .signedOut)
    }

    @Test("What reads a code ends the sign-in with what it throws, also if that is a wrong code")
    func readFails() async throws {
        let fixture = try AccountFixture()
        let account = try fixture.program(over: Self.transport()).account(at: Self.project)
        let phone = SupabaseDestination.phone(try PhoneNumber("+14155551234"))
        let prompts = Recorder<String>()
        let error = await #expect(throws: LoginError.self) {
            try await account.signIn(
                .code(to: phone) { prompt in
                    prompts.append("\(prompt)")
                    _ = try OneTimeCode("1", digitCount: 6)
                    return ""
                })
        }
        #expect(error?.underlying is SignInInputError && prompts.all.count == 1)
    }

    @Test("A project that limits its codes says how long to wait")
    func limited() async throws {
        let transport = FakeTransport(
            .status(
                429, ["Content-Type": "application/json", "Retry-After": "7"],
                body: #"{"code":"over_sms_send_rate_limit","message":"words of the server"}"#))
        let fixture = try AccountFixture()
        let account = try fixture.program(over: transport).account(at: Self.project)
        let phone = SupabaseDestination.phone(try PhoneNumber("+14155551234"))
        let error = await #expect(throws: LoginError.self) {
            try await account.signIn(.code(to: phone) { _ in "" })
        }
        #expect(error?.retryAfter == .seconds(7))
    }

    @Test("A project's sign-in that cannot be restricted, or whose code has no length, is refused")
    func unsupportedAtProject() async throws {
        let fixture = try AccountFixture()
        let transport = Self.transport()
        let account = try fixture.program(over: transport).account(at: Self.project)
        let phone = SupabaseDestination.phone(try PhoneNumber("+14155551234"))
        let staff = try BusinessEmailPolicy(
            allowing: EmailDomainRule.rules(fromList: "company.example"))
        let restricted = await failure {
            try await account.signIn(.code(to: phone) { _ in "012345" }, allowing: staff)
        }
        #expect(restricted == .unsupported)
        for count in [-1, 5, 11] {
            let refused = await failure {
                try await account.signIn(.code(to: phone, digitCount: count) { _ in "012345" })
            }
            #expect(refused == .unsupported)
        }
        #expect(await failure { try await account.signIn() } == .unsupported)
        #expect(try transport.count == 0 && fixture.files() == [], "nothing was sent or made")
    }

    @Test("A way that the server does not have is refused before anything is made")
    func unsupported() async throws {
        let fixture = try AccountFixture()
        let phone = SupabaseDestination.phone(try PhoneNumber("+14155551234"))
        #expect(
            await failure { try await fixture.account().signIn(.code(to: phone) { _ in "" }) }
                == .unsupported)
        let program = try fixture.program(over: Self.transport())
        let project = program.account("b", at: Self.project)
        #expect(await failure { try await project.signIn() } == .unsupported)
        #expect(try fixture.files() == [])
        let secret = program.account(
            "c", at: .supabase(url: "https://ref.supabase.co", publishableKey: "sb_secret_x"))
        #expect(
            await failure { try await secret.signIn(.code(to: phone) { _ in "" }) }
                == LoginError.Code(rawValue: "invalidSecret"))
    }
}
