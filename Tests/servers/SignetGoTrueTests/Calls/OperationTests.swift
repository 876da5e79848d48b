// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetGoTrue
import TestSupport
import Testing

/// Each operation of GoTrue's description, served or not. Documentation/GOTRUE.md has the same
/// table for people.
@Suite("GoTrue's operations")
struct OperationTests {
    /// What a request with an access token and an empty object meets.
    enum State: Sendable {
        case served
        /// The path is known, the method is not.
        case wrongMethod
        /// A 404 with the code `unknown`, which ends no session of a client.
        case absent
    }

    struct Operation: Sendable, CustomTestStringConvertible {
        let name: String
        let state: State

        var testDescription: String { name }
    }

    static let operations: [Operation] =
        [
            "GET /authorize", "POST /factors", "POST /factors/{factorId}/challenge",
            "POST /factors/{factorId}/verify", "DELETE /factors/{factorId}", "GET /health",
            "POST /logout", "POST /otp", "POST /reauthenticate", "POST /recover",
            "POST /resend", "GET /settings", "POST /signup", "POST /token", "GET /user",
            "PUT /user", "DELETE /user/identities/{identityId}", "POST /verify",
        ].map { Operation(name: $0, state: .served) }
        + [Operation(name: "GET /verify", state: .wrongMethod)]
        + [
            // A provider's answer comes to /callback/NAME.
            "GET /callback", "POST /callback", "POST /magiclink", "POST /invite",
            "GET /user/identities/authorize", "GET /user/oauth/grants",
            "DELETE /user/oauth/grants", "POST /sso", "GET /saml/metadata", "POST /saml/acs",
            "POST /oauth/clients/register", "POST /oauth/token", "GET /oauth/authorize",
            "GET /oauth/authorizations/{authorization_id}",
            "POST /oauth/authorizations/{authorization_id}/consent",
            "POST /admin/generate_link", "GET /admin/audit", "GET /admin/users",
            "GET /admin/users/{userId}", "PUT /admin/users/{userId}",
            "DELETE /admin/users/{userId}", "GET /admin/users/{userId}/factors",
            "PUT /admin/users/{userId}/factors/{factorId}",
            "DELETE /admin/users/{userId}/factors/{factorId}", "GET /admin/sso/providers",
            "POST /admin/sso/providers", "GET /admin/sso/providers/{ssoProviderId}",
            "PUT /admin/sso/providers/{ssoProviderId}",
            "DELETE /admin/sso/providers/{ssoProviderId}", "GET /admin/oauth/clients",
            "POST /admin/oauth/clients", "GET /admin/oauth/clients/{client_id}",
            "PUT /admin/oauth/clients/{client_id}", "DELETE /admin/oauth/clients/{client_id}",
            "POST /admin/oauth/clients/{client_id}/regenerate_secret",
            "GET /admin/custom-providers", "POST /admin/custom-providers",
            "GET /admin/custom-providers/{identifier}",
            "PUT /admin/custom-providers/{identifier}",
            "DELETE /admin/custom-providers/{identifier}",
        ].map { Operation(name: $0, state: .absent) }

    @Test("Each operation is served or absent, and ends no session", arguments: operations)
    func each(_ operation: Operation) async throws {
        let scene = try await Scene { $0.allowsGuests = true }
        let guest = try await scene.call("POST /signup", "{}")
        let target = operation.name.replacing(/\{[A-Za-z_]+\}/) { _ in
            "0195f7a2-3b1c-4d5e-8f60-718293a4b5c6"
        }
        let body = target.hasPrefix("GET") ? nil : "{}"
        let answer = try await scene.call(target, body, bearer: guest.accessToken)
        switch operation.state {
        case .served:
            #expect(answer.status != 405)
            #expect(answer.status != 404 || answer.code != "unknown")
            #expect(answer.status < 500)
        case .wrongMethod: #expect(answer.status == 405)
        case .absent:
            #expect(answer.status == 404)
            #expect(answer.code == "unknown")
        }
        guard operation.name != "POST /logout" else { return }
        #expect(try await scene.call("GET /user", bearer: guest.accessToken).status == 200)
    }

    @Test(
        "The table has each operation of the description",
        .enabled(
            if: PythonPeer.description != nil, "no ../shared/reference/gotrue/openapi.yaml"))
    func complete() throws {
        let text = try String(contentsOfFile: #require(PythonPeer.description), encoding: .utf8)
        var path = ""
        var described: Set<String> = []
        for line in text.split(separator: "\n") {
            if let found = line.wholeMatch(of: #/  (/[^ ]*):/#) {
                path = String(found.1)
            } else if let found = line.wholeMatch(of: #/    (get|post|put|patch|delete):/#) {
                described.insert(found.1.uppercased() + " " + path)
            }
        }
        #expect(described == Set(Self.operations.map(\.name)))
        let served = Self.operations.count { $0.state == .served }
        print("operations: \(described.count), of which the service has \(served)")
    }
}
