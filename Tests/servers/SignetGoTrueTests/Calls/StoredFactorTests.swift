// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetEmail
import SignetGoTrue
import SignetJOSE
import TestSupport
import Testing

@Suite("Factors that were stored otherwise than by the service", .serialized)
struct StoredFactorTests {
    /// RFC 4226, appendix D, sealed for the user `ann` under 32 bytes of 1: see
    /// `SeveralFactorsTests`.
    private static let sealed = bytes(
        """
        000102030405060708090a0b0c0d0e0f101112131415161700ebca8d7ff0ab65c0516a8779df2d5e851d71\
        7348702d85ad7e0a9216c88e3648dadc763f618b07
        """)

    /// A user of an earlier system, whose identifier is no UUID, with a factor of a version in
    /// which users had one.
    private static func scene() async throws -> Scene {
        let scene = try await Scene()
        _ = try await People(scene.database).migrate("ann", as: .email(Mailbox(Scene.email)))
        try await scene.database.transaction { (transaction) throws(AccountError) -> Void in
            try await transaction.run(
                """
                INSERT INTO signet_second_factors
                    (id, user_id, name, kind, sealed, confirmed, last_step, added_at, changed_at)
                VALUES ('ann', 'ann', '', 'code', $1, 1, 0, {now}, {now})
                """, values: [.bytes(sealed)])
        }
        return scene
    }

    /// Asks for a challenge, and sends a code with it.
    private static func verify(
        _ scene: Scene, _ id: String, _ code: String, _ bearer: String
    ) async throws -> Scene.Answer {
        let asked = try await scene.call("POST /factors/\(id)/challenge", bearer: bearer)
        let challenge = try #require(asked.json["id"]?.stringValue)
        return try await scene.call(
            "POST /factors/\(id)/verify",
            "{\"challenge_id\":\"\(challenge)\",\"code\":\"\(code)\"}", bearer: bearer)
    }

    @Test("A factor of an earlier version has a UUID at the service, which finds it")
    func migrated() async throws {
        let scene = try await Self.scene()
        let grant = try await scene.signIn(Scene.email)
        #expect(grant.userID == "ann")
        let factors = try #require(grant.json["user"]?["factors"]?.arrayValue)
        let id = try #require(factors.first?["id"]?.stringValue)
        #expect(factors.count == 1 && id.utf8.count == 36)
        #expect(factors.first?["friendly_name"] == nil)
        let named = try await scene.call("DELETE /factors/ann", bearer: grant.accessToken)
        #expect(named.status == 404 && named.code == "validation_failed")
        let raised = try await Self.verify(scene, id.uppercased(), "287082", grant.accessToken)
        #expect(raised.status == 200)
        #expect(try FactorScene(scene).claims(raised)["aal"] == "aal2")
        let removed = try await scene.call("DELETE /factors/\(id)", bearer: raised.accessToken)
        #expect(removed.status == 200 && removed.json == ["id": .string(id)])
        let seen = try await scene.call("GET /user", bearer: raised.accessToken)
        #expect(seen.status == 200 && seen.json["factors"] == nil)
    }

    @Test("A factor of another kind is required and not listed, and no code verifies it")
    func otherKind() async throws {
        let scene = try await Self.scene()
        let grant = try await scene.signIn(Scene.email)
        let id = try #require(
            grant.json["user"]?["factors"]?.arrayValue?.first?["id"]?.stringValue)
        let raised = try await Self.verify(scene, id, "287082", grant.accessToken)
        let asked = try await scene.call(
            "POST /factors/\(id)/challenge", bearer: raised.accessToken)
        let challenge = try #require(asked.json["id"]?.stringValue)
        try await scene.database.transaction { (transaction) throws(AccountError) -> Void in
            try await transaction.run(
                "UPDATE signet_second_factors SET kind = 'passkey'", values: [])
        }
        let seen = try await scene.call("GET /user", bearer: raised.accessToken)
        #expect(seen.status == 200 && seen.json["factors"] == nil)
        for (target, body) in [
            ("challenge", nil),
            ("verify", "{\"challenge_id\":\"\(challenge)\",\"code\":\"359152\"}"),
        ] as [(String, String?)] {
            let answer = try await scene.call(
                "POST /factors/\(id)/\(target)", body, bearer: grant.accessToken)
            #expect(answer.status == 404 && answer.code == "mfa_factor_not_found", "\(target)")
        }
        let change = try await scene.call(
            "PUT /user", "{\"password\":\"battery staple\"}", bearer: grant.accessToken)
        #expect(change.code == "insufficient_aal")
        let refreshed = try await scene.refresh(raised.refreshToken)
        let claims = try FactorScene(scene).claims(refreshed)
        #expect(claims["amr"]?.arrayValue?.map { $0["method"] } == ["passkey", "otp"])
    }
}
