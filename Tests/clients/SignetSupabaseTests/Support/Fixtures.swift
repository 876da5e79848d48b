// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetEmail
import SignetIdentity
import SignetJOSE
import SignetSupabase
import TestSupport

/// A client over a transport without a network, and what a server would answer.
enum Fixture {
    static let key = "sb_publishable_3kf9aJd0"
    static let userID = "d1b1ca60-9d6b-4f6c-9c4c-2a6f7d5b8a10"
    static let accessToken = "eyJhbGciOiJIUzI1NiJ9.e30.c2ln"
    static let refreshToken = "4nYUCw0wZR_DNOTSDbSGMQ"

    static let user = """
        {"id":"\(userID)","aud":"authenticated","role":"authenticated",\
        "email":"ann@company.example","phone":"14155551234","is_anonymous":false,\
        "email_confirmed_at":"2026-08-20T12:34:56.789Z","created_at":"2026-08-20T12:34:56Z",\
        "app_metadata":{"provider":"email"},"user_metadata":{"name":"Ann"},\
        "identities":[{"provider":"email","identity_data":{"email":"Ann@company.example"}}]}
        """

    static let session = session()

    static func session(user: String = user, _ changes: [String: String?] = [:]) -> String {
        var members: [String: String?] = [
            "access_token": "\"\(accessToken)\"", "token_type": "\"bearer\"",
            "expires_in": "3600", "expires_at": "1780003600",
            "refresh_token": "\"\(refreshToken)\"", "user": user,
        ]
        members.merge(changes) { $1 }
        let written = members.compactMapValues(\.self).map { "\"\($0.key)\":\($0.value)" }
        return "{" + written.sorted().joined(separator: ",") + "}"
    }

    static var project: SupabaseProject { get throws { try SupabaseProject(ref: "abcdefgh") } }

    static func auth(
        _ transport: FakeTransport, fields: [TransportRequest.Field] = [],
        hasAlwaysConfirmedEmail: Bool = false
    ) throws -> SupabaseAuth {
        var project = try project
        project.hasAlwaysConfirmedEmail = hasAlwaysConfirmedEmail
        return try SupabaseAuth(
            project, publishableKey: key, fields: fields, transport: transport)
    }

    static var token: AccessToken { get throws { try AccessToken(accessToken) } }
    static var phone: SupabaseDestination { get throws { .phone(try PhoneNumber("+14155551234")) } }
    static var email: SupabaseDestination {
        get throws { .email(try Mailbox("ann@company.example")) }
    }
    static var code: OneTimeCode { get throws { try OneTimeCode("012345") } }
}

/// The error of a call; nil if there is none.
func failure<E: Error>(_ body: () async throws(E) -> Void) async -> E? {
    do throws(E) {
        try await body()
        return nil
    } catch {
        return error
    }
}

extension TransportRequest {
    /// The body, as it went.
    var text: String { String(decoding: body?.bytes ?? [], as: UTF8.self) }

    /// The value of a field, by its name in small letters.
    func value(of name: String) -> String? { fields.first { $0.isNamed(name) }?.value }
}
