// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetSupabaseAdmin
import TestSupport
import Testing

@Suite("Keys of an administrator")
struct AdminKeyTests {
    static let refused: [String] = [
        Fixture.key, AdminFixture.token(payload: #"{"role":"anon"}"#),
        AdminFixture.token(payload: #"{"role":"authenticated"}"#),
        AdminFixture.token(payload: #"{"role":"supabase_admin"}"#),
        AdminFixture.token(payload: #"{"role":["service_role"]}"#),
        AdminFixture.token(payload: #"{"role":"anon","role":"service_role"}"#),
        AdminFixture.token(payload: "service_role"), "service_role_key", "", "sb_secret_x\n",
        " sb_secret_x", "SB_SECRET_x", "sb_secret_é",
        "sb_secret_" + String(repeating: "x", count: 4_096),
    ]

    @Test("A key that is not a secret key is refused, and not quoted", arguments: refused)
    func refusesOtherKeys(_ key: String) throws {
        do {
            _ = try AdminFixture.admin(FakeTransport(body: "{}"), key: key)
            Issue.record("a key was taken")
        } catch let error as IdentityConfigurationError {
            #expect(error.code == .invalidSecret)
            #expect(key.isEmpty || !"\(error)".contains(key))
        }
    }

    @Test("The refusal of a client's key says what to pass")
    func saysWhatToPass() throws {
        for key in [Fixture.key, AdminFixture.token(payload: #"{"role":"anon"}"#)] {
            do {
                _ = try AdminFixture.admin(FakeTransport(body: "{}"), key: key)
                Issue.record("a client's key was taken")
            } catch let error as IdentityConfigurationError {
                #expect(error.message.contains("sb_secret_"))
                #expect(error.message.contains("service_role"))
            }
        }
    }

    /// S0-6, S1-23: and the other way round.
    @Test("A client refuses the keys of an administrator")
    func clientsRefuseThem() throws {
        let project = try Fixture.project
        for key in [AdminFixture.secretKey, AdminFixture.serviceKey] {
            #expect(throws: IdentityConfigurationError.self) {
                try SupabaseAuth(
                    project, publishableKey: key, transport: FakeTransport(body: "{}"))
            }
        }
    }

    @Test("No description, dump or error of a call holds the key")
    func showsNoKey() async throws {
        for key in [AdminFixture.secretKey, AdminFixture.serviceKey] {
            for answer in [
                FakeTransport.Answer.status(401, body: #"{"message":"\#(key)"}"#),
                .status(403, body: #"{"code":"\#(key)","message":"\#(key)"}"#),
                .status(422, body: #"{"code":"email_exists","message":"\#(key)"}"#),
                .redirect("https://evil.example/?\(key)"), .status(500, body: key), .body(key),
                .failure(TransportFailure(.unreachable, "")),
            ] {
                let admin = try AdminFixture.admin(FakeTransport(answer), key: key)
                var shown = "\(admin) \(String(reflecting: admin))"
                dump(admin, to: &shown)
                for call in AdminCall.allCases {
                    let error = await failure { () async throws(SupabaseError) in
                        try await call.make(admin)
                    }
                    shown += "\(String(describing: error)) \(error?.userMessage ?? "")"
                    dump(error, to: &shown)
                }
                #expect(!shown.contains(key))
            }
        }
    }

    /// That a transport follows none is what its own tests show.
    @Test("A redirect is an answer that is not GoTrue's, and no second request follows")
    func followsNoRedirect() async throws {
        for call in AdminCall.allCases {
            let transport = FakeTransport(.redirect("http://127.0.0.1:9/auth/v1/x", status: 307))
            let admin = try AdminFixture.admin(transport)
            let error = await failure { () async throws(SupabaseError) in
                try await call.make(admin)
            }
            #expect(error?.code == .invalidAnswer)
            #expect(transport.count == 1)
        }
    }

    @Test("A limit of time is over 0 s and at most a minute")
    func checksTheTimeout() throws {
        let project = try Fixture.project
        for timeout in [Duration.zero, .seconds(-1), .seconds(61)] {
            #expect(throws: IdentityConfigurationError(.outOfRange, "")) {
                try SupabaseAdmin(
                    project, secretKey: AdminFixture.bytes(AdminFixture.secretKey),
                    transport: FakeTransport(body: "{}"), timeout: timeout)
            }
        }
    }
}
