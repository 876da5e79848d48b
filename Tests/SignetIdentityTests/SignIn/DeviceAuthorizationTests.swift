// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetPlatform
import SignetSignIn
import TestSupport
import Testing

@Suite("Signing in with a code on another device")
struct DeviceAuthorizationTests {
    private static let codes =
        #"{"device_code":"dev-secret","user_code":"WDJB-MJHT","expires_in":1800,"interval":5,"#
        + #""verification_uri":"https://idp.example/device","#
        + #""verification_uri_complete":"https://idp.example/device?user_code=WDJB-MJHT"}"#
    private static let tokens = #"{"access_token":"at","token_type":"Bearer","refresh_token":"rt"}"#

    /// Time that passes while a task sleeps, and how long each one slept.
    private final class SleepingClock: Sendable {
        let sleeps = Recorder<Duration>()

        var source: TimeSource {
            TimeSource(
                now: TimeSource.still.now, elapsed: { self.sleeps.all.reduce(.zero, +) },
                sleep: { self.sleeps.append($0) })
        }

        var seconds: [Double] { sleeps.all.map { $0 / .seconds(1) } }
    }

    /// A provider that gives the codes, and then its answers one by one.
    private static func device(
        _ answers: [FakeTransport.Answer], codes: String = codes, clock: TimeSource = .still,
        endpoint: String = "https://idp.example/device_authorization"
    ) throws -> (DeviceAuthorization, FakeTransport) {
        let rest = Locked(answers[...])
        let json = ["Content-Type": "application/json"]
        let transport = FakeTransport { request in
            if request.url.path == "/device_authorization" { return .body(codes, json) }
            return rest.withLock { $0.popFirst() } ?? Self.error("authorization_pending")
        }
        let token = try TokenEndpoint(
            url: EndpointURL("https://idp.example/token"), clientID: "tv app",
            authentication: .none, transport: transport)
        return (
            try DeviceAuthorization(
                endpoint: EndpointURL(endpoint), token: token, scopes: ["openid", "email"],
                clock: clock), transport
        )
    }

    private static func error(_ name: String, status: Int = 400) -> FakeTransport.Answer {
        .status(status, ["Content-Type": "application/json"], body: "{\"error\":\"\(name)\"}")
    }

    private static func body(_ request: TransportRequest?) -> String {
        String(decoding: request?.body?.bytes ?? [], as: UTF8.self)
    }

    @Test("The codes and requests are as in RFC 8628, sections 3.1 and 3.4")
    func codes() async throws {
        let good = FakeTransport.Answer.body(Self.tokens, ["Content-Type": "application/json"])
        let clock = SleepingClock()
        let (device, transport) = try Self.device([good], clock: clock.source)
        let code = try await device.begin()
        #expect(code.userCode == "WDJB-MJHT")
        #expect(code.verificationURI.text == "https://idp.example/device")
        #expect(code.completeVerificationURI?.query == "user_code=WDJB-MJHT")
        #expect(code.lifetime == .seconds(1800) && code.interval == .seconds(5))
        #expect("\(code) \(String(reflecting: code))".contains("WDJB") == false)
        #expect(try await device.tokens(for: code).refreshToken == "rt")
        let sent = transport.requests.all
        #expect(Self.body(sent.first) == "scope=openid%20email&client_id=tv%20app")
        #expect(
            Self.body(sent.last)
                == "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"
                + "&device_code=dev-secret&client_id=tv%20app")
        #expect(clock.seconds == [5])
    }

    @Test("Polling keeps the interval: slow_down adds 5 s, an outage doubles it")
    func polling() async throws {
        let clock = SleepingClock()
        let json = ["Content-Type": "application/json"]
        let (device, _) = try Self.device(
            [
                Self.error("authorization_pending"), Self.error("slow_down"),
                Self.error("authorization_pending"), Self.error("slow_down"),
                .failure(TransportFailure(.timedOut, "")),
                .status(503, ["Retry-After": "40"]),
                Self.error("authorization_pending"), .body(Self.tokens, json),
            ], clock: clock.source)
        _ = try await device.tokens(for: device.begin())
        #expect(clock.seconds == [5, 5, 10, 10, 15, 30, 60, 60])
    }

    @Test(
        "Each final answer ends the sign-in",
        arguments: ["expired_token", "access_denied", "invalid_client", "whatever"])
    func ends(_ name: String) async throws {
        let clock = SleepingClock()
        let (device, transport) = try Self.device([Self.error(name)], clock: clock.source)
        let code = try await device.begin()
        let error = await #expect(throws: AuthorizationError.self) {
            try await device.tokens(for: code)
        }
        #expect(error?.code == (name == "expired_token" ? .expired : .refused))
        #expect(
            error?.refusal?.registeredError
                == (name == "whatever" || name == "expired_token" ? nil : name))
        #expect(transport.count == 2, "nothing is asked after it")
    }

    @Test("It expires, whatever the provider answers later")
    func over() async throws {
        let clock = SleepingClock()
        let codes = Self.codes.replacing("1800", with: "23")
        let (device, _) = try Self.device([], codes: codes, clock: clock.source)
        let code = try await device.begin()
        await #expect(throws: AuthorizationError(.expired, "")) {
            try await device.tokens(for: code)
        }
        #expect(clock.seconds == [5, 5, 5, 5])
    }

    @Test("Cancelling the task ends it")
    func cancelled() async throws {
        let (device, _) = try Self.device([], codes: Self.codes.replacing("1800", with: "3600"))
        let code = try await device.begin()
        let task = Task { try await device.tokens(for: code) }
        task.cancel()
        await #expect(throws: AuthorizationError(.cancelled, "")) { try await task.value }
    }

    @Test(
        "No terminal command is shown, and no user is sent to another kind of address",
        arguments: [
            ("WDJB-MJHT\"", #"WD\u001b[2J""#), ("WDJB-MJHT\"", #"WD\u202eJB""#),
            ("WDJB-MJHT\"", "é\""), ("WDJB-MJHT\"", "\""), ("dev-secret", #"a\nb"#),
            ("WDJB-MJHT\"", String(repeating: "x", count: 65) + "\""),
            ("https://idp.example/device\"", "http://idp.example/device\""),
            ("https://idp.example/device\"", "http://127.0.0.1/device\""),
            ("https://idp.example/device\"", "javascript:alert(1)\""),
            ("https://idp.example/device\"", #"https://idp.example/\u0007""#),
            ("\"expires_in\":1800", "\"expires_in\":null"),
        ])
    func hostile(_ good: String, _ bad: String) async throws {
        let codes = Self.codes.replacing(good, with: bad, maxReplacements: 1)
        #expect(codes != Self.codes)
        let (device, _) = try Self.device([], codes: codes)
        await #expect(throws: AuthorizationError(.invalidResponse, "")) { try await device.begin() }
    }

    @Test("Times are capped, Google's member name is read, and a bad complete address is dropped")
    func odd() async throws {
        let codes = Self.codes.replacing("1800", with: "1e9")
            .replacing("\"interval\":5", with: "\"interval\":0")
            .replacing("verification_uri\"", with: "verification_url\"")
            .replacing("https://idp.example/device?", with: "http://idp.example/device?")
        let (device, _) = try Self.device([], codes: codes)
        let code = try await device.begin()
        #expect(code.lifetime == .seconds(3600) && code.interval == .seconds(1))
        #expect(code.completeVerificationURI == nil)
        let loopback = Self.codes.replacing("https://idp.example/", with: "http://127.0.0.1:9/")
        let (local, _) = try Self.device(
            [], codes: loopback, endpoint: "http://127.0.0.1:9/device_authorization")
        #expect(try await local.begin().verificationURI.scheme == "http")
    }
}
