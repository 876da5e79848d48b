// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetSupabase
import TestSupport
import Testing

/// Answers that no GoTrue gives: refused or read, never a trap, and nothing of them is repeated.
struct HostileAnswerTests {
    /// Everything that could be quoted, in one word that is looked for.
    static let secret = "s3cr3t-0f-th3-p3rs0n"

    static func verify(_ answer: FakeTransport.Answer) async throws -> SupabaseError? {
        let auth = try Fixture.auth(FakeTransport(answer))
        let (code, phone) = (try Fixture.code, try Fixture.phone)
        return await failure { () async throws(SupabaseError) in
            _ = try await auth.verify(code, sentTo: phone)
        }
    }

    @Test("A session that is cut off at any byte is refused")
    func everyBeginningOfASessionIsRefused() async throws {
        let whole = Array(Fixture.session.utf8)
        for end in 0..<whole.count {
            let text = String(decoding: whole[..<end], as: UTF8.self)
            #expect(try await Self.verify(.body(text))?.code == .invalidAnswer)
        }
        #expect(try await Self.verify(.body(Fixture.session)) == nil)
    }

    /// One byte changed: a session or none, and never of another user than it says.
    @Test("A session with any byte changed is read or refused")
    func everyChangeIsReadOrRefused() async throws {
        let whole = Array(Fixture.session.utf8)
        for place in whole.indices {
            for octet: UInt8 in [0x00, 0x22, 0x2c, 0x5c, 0x7b, 0x7d, 0xff, whole[place] ^ 1] {
                var changed = whole
                changed[place] = octet
                let response = TransportResponse(status: 200, body: changed)
                let auth = try Fixture.auth(FakeTransport(.success(response)))
                do {
                    let grant = try await auth.refresh(RefreshToken("r"))
                    #expect(grant.userID.utf8.allSatisfy { (0x21...0x7e).contains($0) })
                } catch {
                    #expect(error.code == .invalidAnswer)
                }
            }
        }
    }

    static let wrong: [String] = [
        "", "null", "[]", "\"text\"", "{}", Fixture.user, "{\"user\":{}}", "\u{FEFF}{}",
        Fixture.session(["access_token": nil]), Fixture.session(["access_token": "null"]),
        Fixture.session(["access_token": "7"]), Fixture.session(["access_token": "\"\""]),
        Fixture.session(["access_token": "\"a b\""]),
        Fixture.session(["access_token": "\"a\\r\\nX: y\""]),
        Fixture.session(["access_token": "\"é\""]), Fixture.session(["access_token": "[\"a\"]"]),
        Fixture.session(["access_token": "\"" + String(repeating: "a", count: 16_385) + "\""]),
        Fixture.session(["refresh_token": nil]), Fixture.session(["refresh_token": "null"]),
        Fixture.session(["refresh_token": "{}"]), Fixture.session(["refresh_token": "\"\\u0000\""]),
        Fixture.session(["token_type": "\"mac\""]), Fixture.session(["token_type": "7"]),
        Fixture.session(["user": nil]), Fixture.session(["user": "null"]),
        Fixture.session(["user": "[]"]), Fixture.session(["user": "{}"]),
        Fixture.session(["user": "{\"id\":7}"]), Fixture.session(["user": "{\"id\":\"\"}"]),
        Fixture.session(["user": "{\"id\":\"a b\"}"]), Fixture.session(["user": "{\"id\":\"é\"}"]),
        Fixture.session(["user": "{\"id\":\"\(String(repeating: "a", count: 256))\"}"]),
        // Twice, at each depth.
        "{\"access_token\":\"a\",\"access_token\":\"b\"}",
        Fixture.session(["user": "{\"id\":\"a\",\"id\":\"b\"}"]),
        // Deep.
        Fixture.session([
            "deep": String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        ]),
        String(repeating: "[", count: 100_000),
        String(repeating: "{\"a\":", count: 50_000),
        Fixture.session + " {}",
    ]

    @Test("An answer that holds no session is refused", arguments: wrong.indices)
    func whatIsNoSessionIsRefused(_ index: Int) async throws {
        let error = try await Self.verify(.body(Self.wrong[index]))
        #expect(error?.code == .invalidAnswer)
    }

    @Test("An answer over 256 KiB is refused, and the transport knows the limit")
    func whatIsTooLongIsRefused() async throws {
        let padding = String(repeating: "x", count: 262_144)
        let long = Fixture.session(["padding": "\"\(padding)\""])
        #expect(try await Self.verify(.body(long))?.code == .invalidAnswer)
        // The transport is told the limit, too.
        let transport = FakeTransport(body: Fixture.session)
        _ = try await Fixture.auth(transport).refresh(RefreshToken("r"))
        #expect(transport.requests.all.first?.maximumBodyByteCount == 262_144)
    }

    /// An unreadable lifetime loses no session: the exchanged tokens are kept.
    @Test(
        "An unreadable lifetime counts as an hour, and the longest is 366 days",
        arguments: [
            ("null", 3600), ("0", 3600), ("-5", 3600), ("\"60\"", 60), ("1e3", 1000),
            ("60.9", 60), ("\"60.9\"", 60), ("\"-60\"", 3600), ("\"soon\"", 3600), ("[60]", 3600),
            ("9223372036854775808", 31_622_400), ("9223372036854775807", 31_622_400),
            ("1e300", 31_622_400), ("-1e300", 3600), ("1e400", 3600), ("0.5", 3600), ("60", 60),
        ])
    func lifetimesAreBounded(_ text: String, _ wanted: Int) async throws {
        let transport = FakeTransport(body: Fixture.session(["expires_in": text]))
        let grant = try await Fixture.auth(transport).refresh(RefreshToken("r"))
        #expect(grant.lifetime == .seconds(wanted))
    }

    @Test("A profile over the limit is dropped, and the person signs in")
    func profilesAreBounded() async throws {
        let long = String(repeating: "x", count: 70_000)
        let user = "{\"id\":\"\(Fixture.userID)\",\"user_metadata\":{\"picture\":\"\(long)\"}}"
        let transport = FakeTransport(body: Fixture.session(user: user))
        let grant = try await Fixture.auth(transport).refresh(RefreshToken("r"))
        #expect(grant.userID == Fixture.userID)
        #expect(grant.profile == nil)
    }

    /// Names and values that Swift would take long to compare (S3-45's neighbour: no denial).
    @Test("Long runs of combining marks are read or refused like other text")
    func combiningMarksCostNothing() async throws {
        let marks = String(repeating: "\u{0301}\u{0323}", count: 25_000)
        for text in [
            "{\"code\":\"\(marks)\"}", "{\"error_code\":\"\(marks)\"}",
            "{\"user_metadata\":{\"a\":\"\(marks)\"},\"id\":\"a\"}",
        ] {
            _ = try await Self.verify(.status(403, body: text))
        }
        let user = "{\"id\":\"a\",\"email\":\"\(marks)\",\"phone\":\"\(marks)\"}"
        let auth = try Fixture.auth(FakeTransport(body: user))
        #expect(try await auth.user(Fixture.token).email == nil)
    }

    /// S0-22, S3-45: the server's texts quote tokens, codes and addresses; ours never do.
    @Test(
        "No error quotes the server's answer",
        arguments: [200, 204, 302, 400, 401, 403, 404, 409, 422, 429, 500, 503])
    func nothingOfAnAnswerIsTold(_ status: Int) async throws {
        let secret = Self.secret
        for body in [
            #"{"code":"otp_expired","message":"\#(secret)"}"#,
            #"{"code":"\#(secret)","message":"\#(secret)"}"#,
            #"{"code":400,"error_code":"\#(secret)","msg":"\#(secret)"}"#,
            #"{"error":"\#(secret)","error_description":"\#(secret)"}"#,
            #"{"access_token":"\#(secret) "}"#, #"{"\#(secret)":1,"\#(secret)":2}"#,
            Fixture.session(user: #"{"id":"\#(secret) "}"#), secret, "{\"a\":\"\(secret)",
        ] {
            let answer = FakeTransport.Answer.status(
                status, ["x-sb-error-code": secret, "Location": secret, "Retry-After": secret],
                body: body)
            guard let error = try await Self.verify(answer) else {
                Issue.record("an answer of status \(status) was taken for a session")
                continue
            }
            var dumped = ""
            dump(error, to: &dumped)
            for text in ["\(error)", error.message, error.userMessage, dumped] {
                #expect(!text.contains(secret))
            }
        }
    }

    @Test("No error holds what the person typed")
    func nothingOfARequestIsTold() async throws {
        for answer in [
            FakeTransport.Answer.status(403, body: #"{"code":"otp_expired"}"#),
            .failure(TransportFailure(.unreachable, "")), .body("{}"),
        ] {
            let error = try #require(await Self.verify(answer))
            var dumped = ""
            dump(error, to: &dumped)
            for hidden in ["4155551234", "012345"] {
                #expect(!"\(error)\(error.userMessage)\(dumped)".contains(hidden))
            }
        }
    }

    @Test("Grants and users print no token and no address")
    func grantsAndUsersAreNotPrinted() async throws {
        let auth = try Fixture.auth(FakeTransport(body: Fixture.session))
        let grant = try await auth.refresh(RefreshToken("r"))
        let user = try SupabaseUser(profile: try #require(grant.profile))
        var dumped = ""
        dump(grant, to: &dumped)
        dump(user, to: &dumped)
        let text = "\(grant)\(user)\(dumped)"
        for hidden in [Fixture.accessToken, Fixture.refreshToken, "ann@company.example"] {
            #expect(!text.contains(hidden))
        }
    }
}
