// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetSupabaseAdmin
import TestSupport
import Testing

@Suite("Errors of an administrator's calls")
struct AdminErrorTests {
    static let rows: [(status: Int, body: String, code: SupabaseError.Code, server: String?)] = [
        (401, #"{"message":"Invalid API key"}"#, .keyRefused, nil),
        (401, #"{"code":"no_authorization","message":"m"}"#, .keyRefused, "no_authorization"),
        (403, #"{"code":"not_admin","message":"m"}"#, .keyRefused, "not_admin"),
        (403, #"{"code":"bad_jwt","message":"m"}"#, .keyRefused, "bad_jwt"),
        (403, "<html>", .invalidAnswer, nil),
        (422, #"{"code":"email_exists","message":"m"}"#, .refused, "email_exists"),
        (429, #"{"code":"over_request_rate_limit"}"#, .rateLimited, "over_request_rate_limit"),
        (429, "slow", .rateLimited, nil), (500, "", .serverFailed, nil),
        (503, "{}", .serverFailed, nil), (302, "", .invalidAnswer, nil),
        (400, "", .invalidAnswer, nil),
    ]

    @Test("Each call throws the error of the server's refusal", arguments: rows.indices)
    func refusals(_ index: Int) async throws {
        let row = Self.rows[index]
        for call in AdminCall.allCases {
            let transport = FakeTransport(.status(row.status, body: row.body))
            let admin = try AdminFixture.admin(transport)
            let error = await failure { () async throws(SupabaseError) in
                try await call.make(admin)
            }
            #expect(error?.code == row.code, "\(call)")
            #expect(error?.status == row.status, "\(call)")
            #expect(error?.serverCode?.text == row.server, "\(call)")
            // Nothing is repeated.
            #expect(transport.count == 1, "\(call)")
        }
    }

    @Test("The refusal of a key says that it is the key, and shows a person no sentence about it")
    func keys() async throws {
        let admin = try AdminFixture.admin(
            FakeTransport(.status(403, body: #"{"code":"bad_jwt"}"#)))
        let error = await failure { () async throws(SupabaseError) in
            try await admin.delete(Fixture.userID)
        }
        #expect(error?.message.contains("secret key") == true)
        #expect(error?.userMessage == "Unknown error")
    }

    @Test(
        "Each call throws the error of a connection that fails",
        arguments: [
            (TransportFailure.Code.timedOut, SupabaseError.Code.timedOut),
            (.unreachable, .unreachable), (.notTrusted, .notTrusted),
            (.bodyTooLarge, .invalidAnswer), (.cancelled, .cancelled),
        ])
    func connections(_ given: TransportFailure.Code, _ wanted: SupabaseError.Code) async throws {
        for call in AdminCall.allCases {
            let admin = try AdminFixture.admin(
                FakeTransport(.failure(TransportFailure(given, "hidden"))))
            let error = await failure { () async throws(SupabaseError) in
                try await call.make(admin)
            }
            #expect(error?.code == wanted, "\(call)")
            #expect(error.map { "\($0)".contains("hidden") } == false)
        }
    }

    @Test("An answer of over 8 MiB is refused")
    func largeAnswers() async throws {
        let long = String(repeating: " ", count: 8_388_608) + "{}"
        for call in AdminCall.allCases {
            let admin = try AdminFixture.admin(FakeTransport(body: long))
            let error = await failure { () async throws(SupabaseError) in
                try await call.make(admin)
            }
            #expect(error?.code == .invalidAnswer, "\(call)")
        }
    }

    static let signOuts: [(Int, String, SignOutScope, SupabaseError.Code?)] = [
        (204, "", .this, nil), (204, "", .all, nil), (204, "", .others, nil),
        // Gone.
        (403, #"{"code":"user_not_found"}"#, .this, nil),
        (403, #"{"code":"user_not_found"}"#, .all, nil),
        (403, #"{"code":"session_not_found"}"#, .this, nil),
        // The person's other sessions may be there still.
        (403, #"{"code":"session_not_found"}"#, .all, .refused),
        (403, #"{"code":"session_not_found"}"#, .others, .refused),
        (403, #"{"code":"bad_jwt"}"#, .this, .refused),
        (401, #"{"code":"no_authorization"}"#, .this, .refused),
        // The gateway's: it has not ended anything.
        (401, #"{"message":"Invalid API key"}"#, .this, .keyRefused),
        (404, "{}", .this, .refused), (404, "", .this, .invalidAnswer),
        (500, #"{"code":"user_not_found"}"#, .all, .serverFailed),
    ]

    @Test("A sign-out carries the person's token, and says when nothing was ended")
    func signsOut() async throws {
        for (status, body, scope, wanted) in Self.signOuts {
            for key in [AdminFixture.secretKey, AdminFixture.serviceKey] {
                let transport = FakeTransport(.status(status, body: body))
                let admin = try AdminFixture.admin(transport, key: key)
                let token = try Fixture.token
                let error = await failure { () async throws(SupabaseError) in
                    try await admin.signOut(token, scope: scope)
                }
                #expect(error?.code == wanted, "\(status) \(body) \(scope)")
                let request = try #require(transport.requests.all.first)
                #expect(request.authorization == "Bearer " + Fixture.accessToken)
                #expect(request.value(of: "apikey") == key)
                #expect(request.url.path == "/auth/v1/logout")
            }
        }
    }
}
