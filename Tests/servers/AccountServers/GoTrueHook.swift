// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetCrypto

/// A hook as GoTrue writes it: the fields in its order of members, `metadata` first, signatures with
/// a comma and a blank between them. A retry has the same body, another id and a later time.
package struct GoTrueHook: Sendable {
    package var body: [UInt8]
    package var id = "7f3cd2d4-9b35-4a7f-b7e6-0f6c1f2d9a51"
    package var timestamp = "1780000000"
    /// A byte for each secret, which is 32 of them.
    package var secrets: [UInt8] = [1, 2]
    package var separator = ", "

    package init(body: String) { self.body = Array(body.utf8) }

    package static let userID = "8ccaa7af-909f-44e7-84cb-67cdccb56be6"
    private static let metadata =
        #""metadata":{"uuid":"1b0d5bd4-0f0a-4f4c-8a7e-0f1f0c5b1c11","time":"2026-05-28T20:26:40Z","name":"hook","ip_address":"203.0.113.7"}"#

    /// The user, with members from `id` to `is_anonymous`.
    package static func user(
        email: String = "ann@example.com", phone: String = "14155551234", more: String = ""
    ) -> String {
        #"{"id":"\#(userID)","aud":"authenticated","role":"authenticated","email":"\#(email)","phone":"\#(phone)",\#(more)"app_metadata":{"provider":"phone","providers":["phone"]},"user_metadata":{"lang":"de","note":"\u003cb\u003e"},"identities":[],"created_at":"2026-05-28T20:26:40.123456Z","updated_at":"2026-05-28T20:26:40.123456Z","is_anonymous":false}"#
    }

    package static func sms(
        otp: String = "314159", phone: String? = "14155551234", kind: String? = nil,
        user: String = user()
    ) -> GoTrueHook {
        let kind = kind.map { #","sms_type":"\#($0)""# } ?? ""
        let phone = phone.map { #","phone":"\#($0)""# } ?? ""
        return GoTrueHook(
            body: #"{\#(metadata),"user":\#(user),"sms":{"otp":"\#(otp)"\#(kind)\#(phone)}}"#)
    }

    package static func email(
        kind: String = "signup", token: String = "271828", hash: String = "pkce_aa11",
        newToken: String = "", newHash: String = "", oldEmail: String = "", user: String = user(),
        metadata: String = metadata
    ) -> GoTrueHook {
        GoTrueHook(
            body:
                #"{\#(metadata),"user":\#(user),"email_data":{"token":"\#(token)","token_hash":"\#(hash)","redirect_to":"https://app.example/welcome","email_action_type":"\#(kind)","site_url":"https://abcdefghijklmnop.supabase.co/auth/v1","token_new":"\#(newToken)","token_hash_new":"\#(newHash)","old_email":"\#(oldEmail)","old_phone":"","provider":"","factor_type":""}}"#
        )
    }

    package static func token(method: String = "password") -> GoTrueHook {
        GoTrueHook(
            body:
                #"{\#(metadata),"user_id":"\#(userID)","claims":{"iss":"https://abcdefghijklmnop.supabase.co/auth/v1","sub":"\#(userID)","aud":"authenticated","exp":1780003600,"iat":1780000000,"email":"ann@example.com","phone":"","app_metadata":{"provider":"email"},"user_metadata":{},"role":"authenticated","aal":"aal1","amr":[{"method":"password","timestamp":1780000000}],"session_id":"5b1f7d2e-6a0c-4c55-9ad7-1d1a3b0c9e77","is_anonymous":false},"authentication_method":"\#(method)"}"#
        )
    }

    /// The same hook under another id, two seconds later.
    package var retried: GoTrueHook {
        var copy = self
        copy.id = "0d7d1a64-1c57-4d0e-8a51-5a3a1d0f7c02"
        copy.timestamp = "1780000002"
        return copy
    }

    /// The setting of these secrets: `v1,whsec_…|v1,whsec_…`.
    package static func setting(_ secrets: [UInt8] = [1, 2]) -> String {
        secrets.map { "v1,whsec_" + Base64Text.encode([UInt8](repeating: $0, count: 32)) }
            .joined(separator: "|")
    }

    /// HMAC-SHA-256 of the specification's text, made without the code that is tested.
    package func signature(_ secret: UInt8) throws -> String {
        let key = try MACKey(
            SecretKey(copying: [UInt8](repeating: secret, count: 32)), hash: .sha256)
        let code = try key.authenticationCode(for: Array("\(id).\(timestamp).".utf8) + body)
        return "v1," + Base64Text.encode(code)
    }

    package func fields() throws -> [(name: String, value: String)] {
        let signatures = try secrets.map { try signature($0) }.joined(separator: separator)
        return [
            (name: "Host", value: "hooks.example"),
            (name: "Content-Type", value: "application/json"),
            (name: "Webhook-Id", value: id), (name: "Webhook-Timestamp", value: timestamp),
            (name: "Webhook-Signature", value: signatures),
        ]
    }
}
