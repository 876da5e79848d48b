// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCurl
import SignetEmail
import SignetIdentity
import SignetJOSE
import SignetSupabaseAdmin
import TestSupport
import Testing

/// The official Python administrator's client and this one make the same calls, with each kind of
/// key; what the server gets is equal, request by request.
@Suite(
    "Administrators' requests compared with the official Python client's",
    .tags(.interop), .enabled(if: OfficialClient.isAvailable || OfficialClient.isRequired))
struct OfficialAdminTests {
    /// Issue 40, M2.
    @Test(
        "The server gets equal administrators' requests from both clients",
        arguments: [AdminFixture.secretKey, AdminFixture.serviceKey])
    func requestsAreEqual(_ key: String) async throws {
        let (theirs, ours) = (try await Recording(), try await Recording())
        let count = try await OfficialClient.call(
            theirs.port, Fixture.accessToken, key: key, script: "official_admin")
        try await Self.call(ours.port, key)
        #expect(count == "1")

        let (wanted, found) = (try await theirs.requests(), try await ours.requests())
        #expect(wanted.count == 17)
        #expect(wanted.map(\.target) == found.map(\.target))
        for (number, (theirs, ours)) in zip(wanted, found).enumerated() {
            #expect(theirs.query == ours.query, "request \(number): \(theirs.target)")
            #expect(theirs.body == ours.body, "request \(number): \(theirs.target)")
            #expect(theirs.fields == ours.fields, "request \(number): \(theirs.target)")
        }
        // What stands in the fields, as both clients send it.
        #expect(found.allSatisfy { $0.fields["apikey"] == key })
        let persons = found.filter { $0.path.hasSuffix("/logout") }
        #expect(persons.count == 3)
        #expect(
            persons.allSatisfy { $0.fields["authorization"] == "Bearer " + Fixture.accessToken })
        let own = found.filter { $0.path.contains("/admin/") }.map { $0.fields["authorization"] }
        let bearer = key == AdminFixture.serviceKey ? "Bearer " + key : nil
        #expect(own.count == 14 && own.allSatisfy { $0 == bearer })
    }

    /// The calls of `official_admin.py`, in its order.
    static func call(_ port: Int, _ key: String) async throws {
        let project = try SupabaseProject(url: EndpointURL("http://127.0.0.1:\(port)"))
        let admin = try SupabaseAdmin(
            project, secretKey: AdminFixture.bytes(key), transport: CurlTransport.curl,
            timeout: .seconds(60))
        let (id, email) = (Fixture.userID, try Mailbox("ann@company.example"))
        #expect(try await admin.user(id)?.id == id)
        for try await page in admin.users() { #expect(page.map(\.id) == [id]) }
        try await admin.update(id, with: AdminFixture.change)
        try await admin.ban(id, for: .seconds(5_400))
        try await admin.liftBan(id)
        try await admin.delete(id, softly: true)
        try await admin.delete(id)
        for scope in [SignOutScope.this, .others, .all] {
            try await admin.signOut(Fixture.token, scope: scope)
        }
        _ = try await admin.generateLink(
            .signUp(password: "correct horse"), for: email, metadata: ["name": "Ann"],
            redirectTo: "https://app.example/in?a=b%20c&d=%C3%A9")
        _ = try await admin.generateLink(
            .invitation, for: email, redirectTo: "https://app.example/in")
        _ = try await admin.generateLink(.signIn, for: email)
        _ = try await admin.generateLink(.recovery, for: email)
        let new = try Mailbox("ann@new.example")
        _ = try await admin.generateLink(.changeFromCurrent(to: new), for: email)
        _ = try await admin.generateLink(.changeToNew(new), for: email)
    }
}
