// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetIdentity
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
        "slow_down and 429 add 5 s to each later pause, whatever the status and the content",
        arguments: [
            error("slow_down", status: 200), error("slow_down"), error("slow_down", status: 403),
            error("slow_down", status: 429), error("slow_down", status: 503), .status(429),
            .status(429, body: "<html>Too many requests</html>"),
            error("temporarily_unavailable", status: 429), error("access_denied", status: 429),
        ])
    func slower(_ answer: FakeTransport.Answer) async throws {
        let clock = SleepingClock()
        let pending = Self.error("authorization_pending")
        let json = ["Content-Type": "application/json"]
        let (device, _) = try Self.device(
            [answer, pending, answer, pending, .body(Self.tokens, json)], clock: clock.source)
        _ = try await device.tokens(for: device.begin())
        #expect(clock.seconds == [5, 10, 10, 15, 15])
    }

    @Test("A Retry-After delays the next poll, and no later one")
    func retryAfter() async throws {
        let clock = SleepingClock()
        let json = ["Content-Type": "application/json"]
        let (device, _) = try Self.device(
            [
                .status(429, ["Retry-After": "300"]), Self.error("authorization_pending"),
                .status(429, ["Retry-After": "1"]), .body(Self.tokens, json),
            ], clock: clock.source)
        _ = try await device.tokens(for: device.begin())
        #expect(clock.seconds == [5, 300, 10, 15])
    }

    @Test(
        "The last poll comes a second before the codes expire, and none sooner than allowed",
        arguments: [
            // Without an answer, the pauses double: 10, 20, 40.
            (
                100, [.failure(TransportFailure(.timedOut, ""))],
                [5, 10, 10, 10, 10, 10, 10, 10, 10, 14]
            ),
            (
                100, Array(repeating: .failure(TransportFailure(.timedOut, "")), count: 4),
                [5, 10, 20, 40, 24]
            ),
            (100, [.status(503, ["Retry-After": "900"])], [5, 94]),
            (100, [.status(429, ["Retry-After": "900"])], [5, 94]),
            (23, [], [5, 5, 5, 7]), (9, [], [8]), (5, [], [5]), (4, [], []),
            (30, [error("slow_down"), error("slow_down")], [5, 10, 15]),
            (29, [error("slow_down"), error("slow_down")], [5, 10]),
        ] as [(Int, [FakeTransport.Answer], [Double])])
    func lastPoll(
        _ lifetime: Int, _ answers: [FakeTransport.Answer], _ pauses: [Double]
    ) async throws {
        let clock = SleepingClock()
        let codes = Self.codes.replacing("1800", with: "\(lifetime)")
        let (device, transport) = try Self.device(answers, codes: codes, clock: clock.source)
        let code = try await device.begin()
        await #expect(throws: AuthorizationError(.expired, "")) {
            try await device.tokens(for: code)
        }
        #expect(clock.seconds == pauses)
        #expect(transport.count == 1 + pauses.count)
    }

    @Test("A person who approves between the last polls is signed in")
    func lastMoment() async throws {
        let clock = SleepingClock()
        let json = ["Content-Type": "application/json"]
        let outage = FakeTransport.Answer.failure(TransportFailure(.timedOut, ""))
        let codes = Self.codes.replacing("1800", with: "120")
        let (device, _) = try Self.device(
            [outage, outage, outage, outage, .body(Self.tokens, json)], codes: codes,
            clock: clock.source)
        #expect(try await device.tokens(for: device.begin()).refreshToken == "rt")
        #expect(clock.seconds == [5, 10, 20, 40, 44])
    }

    @Test("The time between the codes and the first poll counts")
    func begunLate() async throws {
        let clock = SleepingClock()
        let codes = Self.codes.replacing("1800", with: "23")
        let (device, _) = try Self.device([], codes: codes, clock: clock.source)
        let code = try await device.begin()
        await clock.source.sleep(for: .seconds(10))
        await #expect(throws: AuthorizationError(.expired, "")) {
            try await device.tokens(for: code)
        }
        #expect(clock.seconds == [10, 5, 7])
    }

    @Test(
        "A refusal's message names the endpoint and the status, and nothing that was received",
        arguments: ["invalid_grant", "access_denied", "bad code dev-secret", "\u{1b}[2J"])
    func message(_ name: String) async throws {
        let clock = SleepingClock()
        let escaped = name.replacing("\u{1b}", with: "\\u001b")
        let (polled, _) = try Self.device([Self.error(escaped)], clock: clock.source)
        let code = try await polled.begin()
        let poll = await #expect(throws: AuthorizationError.self) {
            try await polled.tokens(for: code)
        }
        #expect(poll?.message == "The token endpoint refused, with the status 400.")
        let refused = FakeTransport(Self.error(escaped))
        let token = try TokenEndpoint(
            url: EndpointURL("https://idp.example/token"), clientID: "tv app",
            authentication: .none, transport: refused)
        let begun = await #expect(throws: AuthorizationError.self) {
            try await DeviceAuthorization(
                endpoint: EndpointURL("https://idp.example/device_authorization"), token: token,
                clock: clock.source
            ).begin()
        }
        #expect(
            begun?.message == "The device authorization endpoint refused, with the status 400.")
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
        #expect(clock.seconds == [5, 5, 5, 7])
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
            ("1800", "\"-1\""), ("1800", "\"1e9\""), ("1800", "\" 900\""), ("1800", "1e400"),
            ("1800", "[900]"), ("1800", "true"),
        ])
    func hostile(_ good: String, _ bad: String) async throws {
        let codes = Self.codes.replacing(good, with: bad, maxReplacements: 1)
        #expect(codes != Self.codes)
        let (device, _) = try Self.device([], codes: codes)
        await #expect(throws: AuthorizationError(.invalidResponse, "")) { try await device.begin() }
    }

    @Test(
        "Numbers of seconds may be text, and are capped",
        arguments: [
            (#""900""#, #""30""#, 900, 30), (#""900.5""#, #""7.9""#, 900, 7),
            ("900.5", "7.9", 900, 7), ("1e300", "1e300", 3_600, 60),
            ("-1e300", "-5", 1, 1), (#""99999999999999999999999999999999""#, #""0""#, 3_600, 1),
            ("1", "null", 1, 5), ("1", #""soon""#, 1, 5), ("1", "[30]", 1, 5),
        ])
    func numbersAsText(
        _ expiresIn: String, _ interval: String, _ lifetime: Int, _ pause: Int
    ) async throws {
        let codes = Self.codes.replacing("1800", with: expiresIn)
            .replacing("\"interval\":5", with: "\"interval\":\(interval)")
        let code = try await Self.device([], codes: codes).0.begin()
        #expect(code.lifetime == .seconds(lifetime) && code.interval == .seconds(pause))
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
