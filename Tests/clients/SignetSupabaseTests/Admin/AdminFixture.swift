// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetEmail
import SignetJOSE
import SignetSupabaseAdmin
import TestSupport

/// An administrator over a transport without a network, and what a server would answer.
enum AdminFixture {
    static let secretKey = "sb_secret_3kf9aJd0"
    /// A token that says `{"role":"service_role"}`.
    static let serviceKey = token(payload: #"{"iss":"supabase","role":"service_role"}"#)
    static let otherID = "0f6f2f8e-0d8a-4a53-9d3c-55f1b5a6c0de"
    static let absence = #"{"code":"user_not_found","message":"User not found"}"#

    static func token(payload: String) -> String {
        ["{}", payload, "sig"].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
    }

    static func bytes(_ text: String) -> SecretBytes { SecretBytes(copying: text.utf8) }

    static func admin(
        _ transport: FakeTransport, key: String = secretKey
    ) throws -> SupabaseAdmin {
        try SupabaseAdmin(Fixture.project, secretKey: bytes(key), transport: transport)
    }

    static var change: SupabaseAdminChange {
        get throws {
            var change = SupabaseAdminChange()
            change.email = try Mailbox("ann@company.example")
            change.phone = try PhoneNumber("+14155551234")
            change.confirmsEmail = true
            change.confirmsPhone = false
            change.password = "correct horse"
            change.userMetadata = ["name": "Ann"]
            change.appMetadata = ["roles": ["editor"]]
            return change
        }
    }

    static func page(_ ids: [String]) -> String {
        let users = ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
        return #"{"users":[\#(users)],"aud":"authenticated"}"#
    }

    /// What GoTrue answers when it has made a link, with members changed or removed.
    static func link(_ changes: [String: String?] = [:]) -> String {
        var members: [String: String?] = [
            "id": "\"\(Fixture.userID)\"", "email": #""ann@company.example""#,
            "action_link": #""https://abcdefgh.supabase.co/auth/v1/verify?token=3f1c""#,
            "email_otp": #""012345""#, "hashed_token": #""3f1c-hash""#,
            "redirect_to": #""https://app.example/in""#, "verification_type": #""recovery""#,
        ]
        members.merge(changes) { $1 }
        let written = members.compactMapValues(\.self).map { "\"\($0.key)\":\($0.value)" }
        return "{" + written.sorted().joined(separator: ",") + "}"
    }
}

/// Every call below `/admin`.
enum AdminCall: String, CaseIterable, Sendable {
    case user, users, update, ban, liftBan, delete, generateLink

    func make(_ admin: SupabaseAdmin, id: String = Fixture.userID) async throws(SupabaseError) {
        switch self {
        case .user: _ = try await admin.user(id)
        case .users: for try await _ in admin.users() {}
        case .update:
            var change = SupabaseAdminChange()
            change.confirmsEmail = true
            try await admin.update(id, with: change)
        case .ban: try await admin.ban(id, for: .seconds(60))
        case .liftBan: try await admin.liftBan(id)
        case .delete: try await admin.delete(id)
        case .generateLink:
            guard let email = try? Mailbox("ann@company.example") else { return }
            _ = try await admin.generateLink(.recovery, for: email)
        }
    }
}
