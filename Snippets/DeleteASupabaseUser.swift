// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetCurl
import SignetEmail
import SignetIdentity
import SignetSupabaseAdmin

// At the start of the server: from a store, or from the environment.
func administrator(_ secretKey: [UInt8]) throws -> SupabaseAdmin {
    let project = try SupabaseProject(ref: "abcdefghijklmnop")
    let admin = try SupabaseAdmin(
        project, secretKey: SecretBytes(copying: secretKey), transport: .curl)
    return admin
}

// DELETE /v1/auth/me: the status of the answer. The person's token says who is deleted, and nothing
// else in the request does. Compiled but not called: it needs a project.
func deleteMe(
    _ bearer: String, _ verifier: SupabaseTokenVerifier, _ admin: SupabaseAdmin,
    deleteRows: (String) async throws -> Void
) async throws -> Int {
    guard let claims = try? await verifier.verify(bearer) else { return 401 }
    try await deleteRows(claims.userID)
    do throws(SupabaseError) {
        // Succeeds again for a user who is gone, so the client may repeat the request.
        try await admin.delete(claims.userID)
        return 204
    } catch {
        print("not deleted:", error)
        return error.code == .keyRefused ? 500 : 503
    }
}

func count(_ admin: SupabaseAdmin) async throws -> Int {
    var count = 0
    for try await page in admin.users() { count += page.count }
    return count
}

// A message of your own with a link to your own page, which verifies the hash.
func invite(_ email: Mailbox, _ admin: SupabaseAdmin) async throws -> String {
    let link = try await admin.generateLink(.invitation, for: email)
    return "https://app.example/welcome?hash=\(link.exposedTokenHash)"
}

func shutOut(_ id: String, _ admin: SupabaseAdmin) async throws {
    try await admin.ban(id, for: .seconds(24 * 3_600))
}
print(try administrator(Array("sb_secret_example".utf8)))
