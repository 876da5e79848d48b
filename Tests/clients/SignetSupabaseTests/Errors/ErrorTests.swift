// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetSupabase
import TestSupport
import Testing

/// GoTrue's three error formats, and what becomes of each.
struct ErrorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let status: Int
        let body: String
        let code: SupabaseError.Code
        var server: String?
        var text = "Unknown error"
        var testDescription: String { "\(status) \(body)" }
    }

    static let rows: [Row] = [
        // Since 2024-01-01.
        Row(
            status: 403, body: #"{"code":"otp_expired","message":"Token has expired"}"#,
            code: .refused, server: "otp_expired", text: "Invalid code. Please try again."),
        Row(
            status: 403, body: #"{"code":"user_not_found","message":"m"}"#, code: .refused,
            server: "user_not_found", text: "Account not found. Please sign up."),
        Row(
            status: 429, body: #"{"code":"over_sms_send_rate_limit","message":"m"}"#,
            code: .rateLimited, server: "over_sms_send_rate_limit",
            text: "Too many attempts. Please wait a few minutes."),
        Row(
            status: 429, body: #"{"code":"over_request_rate_limit","message":"m"}"#,
            code: .rateLimited, server: "over_request_rate_limit",
            text: "Too many attempts. Please wait a few minutes."),
        Row(
            status: 429, body: "<html>slow down</html>", code: .rateLimited,
            text: "Too many attempts. Please wait a few minutes."),
        Row(
            status: 400, body: #"{"code":"session_not_found","message":"m"}"#, code: .refused,
            server: "session_not_found", text: "Session expired. Please sign in again."),
        Row(
            status: 400, body: #"{"code":"session_expired","message":"m"}"#, code: .refused,
            server: "session_expired", text: "Session expired. Please sign in again."),
        Row(
            status: 400, body: #"{"code":"refresh_token_not_found","message":"m"}"#,
            code: .refused, server: "refresh_token_not_found",
            text: "Session expired. Please sign in again."),
        Row(
            status: 400, body: #"{"code":"refresh_token_already_used","message":"m"}"#,
            code: .refused, server: "refresh_token_already_used",
            text: "Session expired. Please sign in again."),
        Row(
            status: 403, body: #"{"code":"bad_jwt","message":"m"}"#, code: .refused,
            server: "bad_jwt", text: "Session expired. Please sign in again."),
        Row(
            status: 422, body: #"{"code":"otp_disabled","message":"m"}"#, code: .refused,
            server: "otp_disabled"),
        Row(
            status: 422,
            body: #"{"code":"weak_password","message":"m","weak_password":{"reasons":[]}}"#,
            code: .refused, server: "weak_password"),
        // Before.
        Row(
            status: 403, body: #"{"code":403,"error_code":"otp_expired","msg":"m"}"#,
            code: .refused, server: "otp_expired", text: "Invalid code. Please try again."),
        Row(
            status: 422, body: #"{"code":422,"msg":"m","weak_password":{"reasons":["length"]}}"#,
            code: .refused, server: "weak_password"),
        Row(status: 422, body: #"{"code":422,"msg":"m"}"#, code: .refused),
        // OAuth's, one with a blank.
        Row(
            status: 400,
            body: #"{"error":"invalid request","error_description":"Bad ID token"}"#,
            code: .refused),
        Row(
            status: 400, body: #"{"error":"invalid_grant","error_description":"d"}"#,
            code: .refused),
        // A code that GoTrue does not publish is not repeated.
        Row(status: 400, body: #"{"code":"otp_expired ","message":"m"}"#, code: .refused),
        Row(status: 400, body: #"{"code":"<script>","message":"m"}"#, code: .refused),
        Row(status: 400, body: #"{"code":null,"error_code":7}"#, code: .refused),
        // The gateway's.
        Row(status: 401, body: #"{"message":"Invalid API key"}"#, code: .refused),
        // Others'.
        Row(status: 404, body: "not found", code: .invalidAnswer),
        Row(status: 400, body: "", code: .invalidAnswer),
        Row(status: 403, body: #"["otp_expired"]"#, code: .invalidAnswer),
        Row(status: 302, body: "", code: .invalidAnswer),
        Row(status: 100, body: "", code: .invalidAnswer),
        Row(
            status: 409, body: #"{"code":"conflict","message":"m"}"#, code: .serverFailed,
            server: "conflict"),
        Row(
            status: 500, body: #"{"code":"unexpected_failure","message":"m"}"#,
            code: .serverFailed, server: "unexpected_failure"),
        Row(status: 503, body: "", code: .serverFailed),
    ]

    /// S0-59, S0-60, S0-62, S2-13 (its text; the server's own is never shown), S2-17.
    @Test("A server error gives its code, its status and a text for the person", arguments: rows)
    func read(_ row: Row) async throws {
        let auth = try Fixture.auth(FakeTransport(.status(row.status, body: row.body)))
        let (code, phone) = (try Fixture.code, try Fixture.phone)
        let error = await failure { () async throws(SupabaseError) in
            _ = try await auth.verify(code, sentTo: phone)
        }
        #expect(error?.code == row.code)
        #expect(error?.status == row.status)
        #expect(error?.serverCode?.text == row.server)
        #expect(error?.userMessage == row.text)
    }

    /// S0-63, and cancellation.
    @Test(
        "A network failure has its own code and text, and quotes nothing",
        arguments: [
            (TransportFailure.Code.unreachable, SupabaseError.Code.unreachable),
            (.timedOut, .timedOut), (.notTrusted, .notTrusted), (.bodyTooLarge, .invalidAnswer),
            (.invalidResponse, .invalidAnswer), (.cancelled, .cancelled),
        ])
    func tellOfTheNetwork(_ given: TransportFailure.Code, _ wanted: SupabaseError.Code) async throws
    {
        let auth = try Fixture.auth(FakeTransport(.failure(TransportFailure(given, "secret"))))
        let error = await failure { () async throws(SupabaseError) in
            _ = try await auth.settings()
        }
        #expect(error?.code == wanted)
        #expect(error.map { !"\($0)".contains("secret") } == true)
        if wanted == .unreachable || wanted == .timedOut {
            #expect(error?.userMessage == "No internet connection. Please try again.")
        }
    }

    @Test(
        "Retry-After is kept in seconds, at most an hour, or is absent",
        arguments: [
            ("120", Duration.seconds(120)), ("0", .zero), ("-1", nil), ("1.5", nil), ("", nil),
            ("9999999999", nil), ("999999999", .seconds(3600)), ("١٢", nil),
            ("Wed, 21 Oct 2026 07:28:00 GMT", nil),
        ])
    func keepRetryAfter(_ text: String, _ wanted: Duration?) async throws {
        let auth = try Fixture.auth(
            FakeTransport(.status(429, ["retry-after": text], body: "{}")))
        let error = await failure { () async throws(SupabaseError) in
            _ = try await auth.settings()
        }
        #expect(error?.retryAfter == wanted)
    }

    @Test("Server codes are equal by their text, and malformed ones are nil")
    func areEqualByWhatTheServerSays() {
        #expect(GoTrueCode("otp_expired") == .otpExpired)
        #expect(GoTrueCode("OTP_EXPIRED") == nil)
        #expect(GoTrueCode("") == nil)
    }
}
