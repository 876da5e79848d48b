// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetSupabaseAdmin
import TestSupport
import Testing

@Suite("An administrator's calls about a user")
struct AdminUserTests {
    /// M2: the gateway deletes the person whom it has recognised.
    @Test("A user is deleted by id, with the key in the fields that its form asks for")
    func deletes() async throws {
        for (key, bearer) in [
            (AdminFixture.secretKey, nil),
            (AdminFixture.serviceKey, "Bearer " + AdminFixture.serviceKey),
        ] {
            let transport = FakeTransport(body: "{}")
            let admin = try AdminFixture.admin(transport, key: key)
            try await admin.delete(Fixture.userID.uppercased())
            let request = try #require(transport.requests.all.first)
            #expect(request.method == .delete)
            #expect(
                request.url.text
                    == "https://abcdefgh.supabase.co/auth/v1/admin/users/\(Fixture.userID)")
            #expect(request.value(of: "apikey") == key)
            #expect(request.authorization == bearer)
            #expect(request.text == #"{"should_soft_delete":false}"#)
        }
    }

    @Test("An absent user is nil, and deleting one succeeds")
    func absence() async throws {
        let admin = try AdminFixture.admin(
            FakeTransport(.status(404, body: AdminFixture.absence)))
        #expect(try await admin.user(Fixture.userID) == nil)
        try await admin.delete(Fixture.userID)
        try await admin.delete(Fixture.userID, softly: true)
        let error = await failure { () async throws(SupabaseError) in
            try await admin.liftBan(Fixture.userID)
        }
        #expect(error?.code == .refused && error?.serverCode == .userNotFound)
    }

    /// A wrong address, a gateway's page, and the same code with another status.
    @Test(
        "Another 404 is an error and no absent user",
        arguments: [
            (404, "", SupabaseError.Code.invalidAnswer), (404, "<html>", .invalidAnswer),
            (404, "{}", .refused), (404, #"{"code":"validation_failed"}"#, .refused),
            (404, #"{"message":"user_not_found"}"#, .refused),
            (403, AdminFixture.absence, .keyRefused), (400, AdminFixture.absence, .refused),
            (500, AdminFixture.absence, .serverFailed),
        ])
    func otherRefusals(_ status: Int, _ body: String, _ code: SupabaseError.Code) async throws {
        let admin = try AdminFixture.admin(FakeTransport(.status(status, body: body)))
        let read = await failure { () async throws(SupabaseError) in
            _ = try await admin.user(Fixture.userID)
        }
        let deleted = await failure { () async throws(SupabaseError) in
            try await admin.delete(Fixture.userID)
        }
        #expect(read?.code == code && deleted?.code == code)
        #expect(read?.status == status)
    }

    static let strange: [String] = [
        "", "me", "..", "../users", "d1b1ca60-9d6b-4f6c-9c4c-2a6f7d5b8a1",
        "d1b1ca60-9d6b-4f6c-9c4c-2a6f7d5b8a10/factors", "d1b1ca60-9d6b-4f6c-9c4c-2a6f7d5b8a1/",
        "d1b1ca60-9d6b-4f6c-9c4c-2a6f7d5b8a1?", "d1b1ca60-9d6b-4f6c-9c4c-2a6f7d5b8a1\n",
        "d1b1ca609d6b4f6c9c4c2a6f7d5b8a10", "{d1b1ca60-9d6b-4f6c-9c4c-2a6f7d5b8a10}",
        "g1b1ca60-9d6b-4f6c-9c4c-2a6f7d5b8a10", "%2e%2e%2fd6b-4f6c-9c4c-2a6f7d5b8a1000",
        "١1b1ca60-9d6b-4f6c-9c4c-2a6f7d5b8a1", String(repeating: "a", count: 100_000),
    ]

    @Test("An id that is not a UUID is refused before any request", arguments: strange.indices)
    func refusesStrangeIDs(_ index: Int) async throws {
        let transport = FakeTransport(body: Fixture.user)
        let admin = try AdminFixture.admin(transport)
        for call in [AdminCall.user, .update, .ban, .liftBan, .delete] {
            let error = await failure { () async throws(SupabaseError) in
                try await call.make(admin, id: Self.strange[index])
            }
            #expect(error?.code == .invalidInput, "\(call)")
        }
        #expect(transport.count == 0)
    }

    @Test("An answer about another user is refused")
    func otherUsers() async throws {
        let admin = try AdminFixture.admin(FakeTransport(body: Fixture.user))
        #expect(try await admin.user(Fixture.userID.uppercased())?.id == Fixture.userID)
        for call in [AdminCall.user, .update, .ban, .liftBan] {
            let error = await failure { () async throws(SupabaseError) in
                try await call.make(admin, id: AdminFixture.otherID)
            }
            #expect(error?.code == .invalidAnswer, "\(call)")
        }
    }

    @Test("A change has its members only, prints nothing, and is refused when empty")
    func changes() async throws {
        let transport = FakeTransport(body: Fixture.user)
        let admin = try AdminFixture.admin(transport)
        try await admin.update(Fixture.userID, with: AdminFixture.change)
        let request = try #require(transport.requests.all.first)
        #expect(request.method == .put)
        #expect(
            request.text == #"{"app_metadata":{"roles":["editor"]},"email":"ann@company.example","#
                + #""email_confirm":true,"password":"correct horse","phone":"+14155551234","#
                + #""phone_confirm":false,"user_metadata":{"name":"Ann"}}"#)
        var shown = "\(try AdminFixture.change)"
        dump(try AdminFixture.change, to: &shown)
        #expect(!shown.contains("horse") && !shown.contains("ann@"))
        let error = await failure { () async throws(SupabaseError) in
            try await admin.update(Fixture.userID, with: SupabaseAdminChange())
        }
        #expect(error?.code == .invalidInput)
        #expect(transport.count == 1)
    }

    @Test("A ban is in whole seconds, rounded up, within a hundred years")
    func bans() async throws {
        let transport = FakeTransport(body: Fixture.user)
        let admin = try AdminFixture.admin(transport)
        try await admin.ban(Fixture.userID, for: .seconds(86_400))
        try await admin.ban(Fixture.userID, for: .milliseconds(1_001))
        try await admin.ban(Fixture.userID, for: .seconds(876_000 * 3_600))
        try await admin.liftBan(Fixture.userID)
        #expect(
            transport.requests.all.map(\.text) == [
                #"{"ban_duration":"86400s"}"#, #"{"ban_duration":"2s"}"#,
                #"{"ban_duration":"3153600000s"}"#, #"{"ban_duration":"none"}"#,
            ])
        for duration in [
            Duration.zero, .seconds(-1), .seconds(876_000 * 3_600 + 1), .seconds(Int64.max),
            .seconds(Int64.min),
        ] {
            let error = await failure { () async throws(SupabaseError) in
                try await admin.ban(Fixture.userID, for: duration)
            }
            #expect(error?.code == .invalidInput)
        }
        #expect(transport.count == 4)
    }

    /// What a person writes about themselves must not hide them from the administrator.
    @Test("A user with large and deep metadata is read, changed and listed")
    func largeUsers() async throws {
        let deep = String(repeating: "[", count: 400) + String(repeating: "]", count: 400)
        let long = String(repeating: "x", count: 1_000_000)
        let user =
            #"{"id":"\#(Fixture.userID)","user_metadata":{"a":\#(deep),"b":"\#(long)"}}"#
        let admin = try AdminFixture.admin(FakeTransport(body: user))
        #expect(try await admin.user(Fixture.userID)?.id == Fixture.userID)
        let transport = FakeTransport { request in
            request.url.text.contains("page=1&")
                ? .body(#"{"users":[\#(user)]}"#)
                : .body(AdminFixture.page([]))
        }
        var count = 0
        for try await page in try AdminFixture.admin(transport).users() { count += page.count }
        #expect(count == 1)
        #expect(transport.requests.all.allSatisfy { $0.maximumBodyByteCount == 8_388_608 })
    }
}
