// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AuthServer
import DevIssuer
import Foundation
import SignetAccounts
import Testing

/// A token stolen from an older session cannot add a sign-in to the account, and cannot delete it.
@Suite("Sessions of an old sign-in")
struct OldSessionTests {
    private static let challenge =
        #"Bearer error="insufficient_user_authentication", max_age=600"#

    private func link(
        _ person: Person, _ token: String, _ world: World
    ) async throws -> WebAnswer {
        let idToken = try world.issuer.idToken(MintRequest(person: person))
        return try await world.client.post(
            "/v1/auth/me/identities", json: #"{"idToken":"\#(idToken)"}"#, token: token)
    }

    @Test("An old session neither adds an identity nor deletes the account")
    func anOldSessionAddsNoWayInAndEndsNoAccount() async throws {
        try await World.with { world in
            let old = try await world.tokens()
            let mobile = try await world.signIn().sessionToken
            try await world.age(seconds: 601)
            // A refresh is not a sign-in.
            let refreshed = try await world.tokens(
                "/v1/auth/refresh", #"{"refresh_token":"\#(old.refresh)"}"#)
            for token in [old.access, refreshed.access, mobile] {
                for answer in [
                    try await link(Person(sub: "eve"), token, world),
                    try await world.client.delete("/v1/auth/me", token: token),
                ] {
                    #expect(answer.status == 401)
                    #expect(answer.body == #"{"error":"Not authenticated"}"#)
                    #expect(answer.header("www-authenticate") == Self.challenge)
                }
                // It is still accepted for everything else.
                #expect(try await world.client.get("/v1/auth/me", token: token).status == 200)
            }
            #expect(try await world.users() == 1)
            #expect(try await world.run("SELECT subject FROM signet_identities").count == 1)

            let fresh = try await world.tokens()
            #expect(try await link(Person(sub: "ada-2"), fresh.access, world).status == 200)
            #expect(
                try await world.client.delete("/v1/auth/me", token: fresh.access).status == 204)
            #expect(try await world.users() == 0)
        }
    }

    /// They cannot sign in again.
    @Test("An old guest may still link an identity, or be deleted")
    func anOldGuestBecomesAnAccountOrIsDeleted() async throws {
        try await World.with { world in
            let stays = try await world.tokens("/v1/auth/guest", "{}")
            let goes = try await world.tokens("/v1/auth/guest", "{}")
            try await world.age(seconds: 86_400)
            #expect(try await link(.ada, stays.access, world).status == 200)
            #expect(try await link(Person(sub: "eve"), stays.access, world).status == 401)
            #expect(try await world.client.delete("/v1/auth/me", token: stays.access).status == 401)
            #expect(try await world.client.delete("/v1/auth/me", token: goes.access).status == 204)
            #expect(try await world.tokens().user?.id == stays.user?.id)
        }
    }

    /// The request itself is fine.
    @Test("A user deleted between the session check and the change gets 401")
    func aUserDeletedMeanwhileIsNotSignedIn() async throws {
        try await World.with { world in
            let requests: [@Sendable (String) async throws -> WebAnswer] = [
                { try await world.patch(#"{"full_name":"Ada King"}"#, token: $0) },
                { try await world.client.delete("/v1/auth/me", token: $0) },
                { try await link(Person(sub: "2"), $0, world) },
                {
                    try await world.client.post(
                        "/api/visits", json: #"{"place":"London"}"#, token: $0)
                },
            ]
            for request in requests {
                let ada = try await world.tokens()
                world.database.wait {
                    _ = try? await world.run("DELETE FROM signet_users")
                }
                let answer = try await request(ada.access)
                #expect(answer.status == 401)
                #expect(answer.header("www-authenticate") == #"Bearer error="invalid_token""#)
                #expect(try await world.users() == 0)
            }
        }
    }
}
