// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCurl
import SignetEmail
import SignetIdentity
import SignetJOSE
import SignetSupabase
import TestSupport
import Testing

/// The official Python client (`supabase-auth`) and this one make the same calls; what the server
/// gets is equal, request by request.
@Suite(
    "Requests compared with the official Python client's",
    .tags(.interop), .enabled(if: OfficialClient.isAvailable || OfficialClient.isRequired))
struct OfficialClientTests {
    /// What an HTTP library says of itself, and of the connection.
    static let fieldsOfTheLibrary: Set = [
        "host", "user-agent", "accept", "accept-encoding", "connection", "content-length",
    ]
    /// - `content-type`: theirs has a parameter (`charset=UTF-8`), which JSON does not have (RFC
    ///   8259, section 11), and is there without a body, too;
    /// - `x-client-info`: the name, version and platform of their library: telemetry.
    static let fieldsOfTheirs: Set = ["content-type", "x-client-info"]
    /// Made afresh by each client: only the form is compared.
    static let random: Set = ["code_challenge"]

    @Test("The server gets equal requests from both clients")
    func requestsAreEqual() async throws {
        let (theirs, ours) = (try await Recording(), try await Recording())
        let verifier = String(repeating: "v", count: 43)
        let theirAddress = try await OfficialClient.call(theirs.port, verifier)
        let ourAddress = try await Self.call(ours.port, verifier)

        let (wanted, found) = (try await theirs.requests(), try await ours.requests())
        #expect(wanted.count == 36)
        #expect(wanted.map(\.target) == found.map(\.target))
        for (number, (theirs, ours)) in zip(wanted, found).enumerated() {
            #expect(theirs.query == ours.query, "request \(number): \(theirs.target)")
            #expect(theirs.body == ours.body, "request \(number): \(theirs.target)")
            #expect(theirs.fields == ours.fields, "request \(number): \(theirs.target)")
        }
        #expect(try Self.parameters(theirAddress) == Self.parameters(ourAddress))
    }

    @Test("The official client takes the tests' server for GoTrue")
    func theServerIsOneThatTheyTake() async throws {
        let words = try await OfficialClient.live(with: GoTrueServer(autoconfirm: true))
        #expect(
            words == "invalid_credentials status 400 otp_expired refresh_token_not_found "
                + "weak_password session_not_found")
    }

    /// The parameters of the address for the browser, in any order.
    static func parameters(_ address: String) throws -> [String] {
        let parts = try #require(URLComponents(string: address))
        #expect(parts.path == "/auth/v1/authorize")
        return (parts.percentEncodedQuery ?? "").split(separator: "&").map { piece in
            let pair = piece.split(separator: "=", maxSplits: 1).map {
                $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? ""
            }
            return random.contains(pair[0])
                ? "\(pair[0]) of \(pair[1].utf8.count)" : pair.joined(separator: "=")
        }.sorted()
    }

    /// The calls of `official_client.py`, in its order.
    static func call(_ port: Int, _ verifier: String) async throws -> String {
        let project = try SupabaseProject(url: EndpointURL("http://127.0.0.1:\(port)"))
        let auth = try SupabaseAuth(
            project, publishableKey: Fixture.key,
            fields: [TransportRequest.Field(name: "x-app-version", value: "1.2.3")],
            transport: CurlTransport.curl, timeout: .seconds(60))
        let (phone, email, code) = (try Fixture.phone, try Fixture.email, try Fixture.code)
        let mailbox = try Mailbox("ann@company.example")

        try await auth.sendCode(to: phone)
        try await auth.sendCode(
            to: phone, createsUser: false, by: .whatsapp, metadata: ["name": "Ann"],
            captcha: "human")
        _ = try await auth.verify(code, sentTo: phone)
        try await auth.sendCode(to: email)
        _ = try await auth.verify(code, sentTo: email)
        for purpose in [SupabaseDestination.Purpose.signUp, .recovery, .change, .invitation] {
            _ = try await auth.verify(code, sentTo: email, purpose: purpose)
        }
        _ = try await auth.verify(code, sentTo: phone, purpose: .change)
        _ = try await auth.verify(tokenHash: "3f1c-hash")
        try await auth.resend(to: phone, purpose: .signIn)
        try await auth.resend(to: email, purpose: .signUp, captcha: "human")
        try await auth.resend(to: email, purpose: .change)
        try await auth.sendRecovery(to: mailbox)
        _ = try await auth.signIn(email, password: "correct horse")
        _ = try await auth.signIn(phone, password: "correct horse")
        _ = try await auth.signUp(email, password: "correct horse", metadata: ["name": "Ann"])
        _ = try await auth.signUp(phone, password: "correct horse")
        _ = try await auth.signInAnonymously()
        _ = try await auth.signInAnonymously(metadata: ["theme": "dark"], captcha: "human")
        _ = try await auth.signIn(idToken: "aaa.bbb.ccc", provider: .google)
        _ = try await auth.signIn(
            idToken: "aaa.bbb.ccc", provider: .apple,
            nonce: AuthorizationNonce("n-0S6_WzA2Mjn-0S6_WzA2Mj"), accessToken: "ddd")
        let kept = #"{"redirectURI":"app://callback","verifier":"\#(verifier)"}"#
        let grant = try await auth.exchange(
            url: "app://callback?code=009e5066-fc11-4eca-8c8c-6fd82aa263f2",
            of: SupabaseSignIn(exportedText: kept))
        let token = grant.accessToken
        _ = try await auth.user(token)
        for change in try changes() { _ = try await auth.update(change, with: token) }
        try await auth.reauthenticate(token)
        _ = try await auth.refresh(RefreshToken("4nYUCw0wZR_DNOTSDbSGMQ"))
        try await auth.signOut(token, scope: .others)
        try await auth.signOut(token, scope: .this)
        _ = try await auth.refresh(RefreshToken("4nYUCw0wZR_DNOTSDbSGMQ"))
        try await auth.signOut(token, scope: .all)
        _ = try await auth.sendLink(to: mailbox, redirectTo: "app://callback", schemes: ["app"])
        return try auth.authorization(
            provider: "github", redirectTo: "app://callback", schemes: ["app"],
            scopes: ["repo", "gist"],
            additional: [("prompt", "login")]
        ).url
    }

    static func changes() throws -> [SupabaseUserChange] {
        var changes = [SupabaseUserChange](repeating: SupabaseUserChange(), count: 4)
        changes[0].metadata = ["name": "Ann"]
        changes[1].phone = try PhoneNumber("+14155551234")
        changes[2].email = try Mailbox("ann@company.example")
        changes[3].password = "correct horse"
        changes[3].nonce = try Fixture.code
        return changes
    }
}

@Suite("The official Python client's availability", .tags(.interop))
struct OfficialClientAvailabilityTests {
    /// So that a gate which depends on the comparison does not skip it.
    @Test("The official client is installed where it is required")
    func isHereWhereItIsRequired() {
        #expect(OfficialClient.isAvailable || !OfficialClient.isRequired)
    }
}
