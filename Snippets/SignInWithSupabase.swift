// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCurl
import SignetEmail
import SignetIdentity
import SignetSupabase

// Compiled but not called: it needs a project and a person who signs in.
func signIn(_ typed: String, over vault: FileVault) async throws {
    let project = try SupabaseProject(ref: "abcdefghijklmnop")
    // snippet.SupabaseAuth
    let auth = try SupabaseAuth(
        project, publishableKey: "sb_publishable_…", transport: .curl)
    let manager = try SessionManager(store: vault, service: "supabase", backend: auth)
    // snippet.hide

    if case .signedIn(let user) = await manager.start() {
        print("welcome back", user.id)
        return
    }
    // snippet.show
    // A code by phone, and the session.
    let phone = SupabaseDestination.phone(try PhoneNumber("+14155551234"))
    // snippet.hide
    do throws(SupabaseError) {
        // snippet.show
        try await auth.sendCode(to: phone)
        // snippet.hide
    } catch {
        print(SignInText.codeNotSent(error.userMessage))
        return
    }
    // snippet.show
    try await manager.adopt(auth.verify(OneTimeCode(typed), sentTo: phone))
    // snippet.end
    print("signed in; a token for requests:", try await manager.accessToken())

    // Deletes the account by your own server's route, then what is stored here.
    let route = try EndpointURL("https://api.example/v1/auth/me")
    let api = try BearerClient(manager: manager, transport: .curl, origins: [route])
    try await api.send(TransportRequest(url: route, method: .delete))
    await manager.signOut(.all)
}

// By a browser: a program that listens on the loopback interface.
func signIn(_ auth: SupabaseAuth, _ listen: (String) async throws -> String) async throws {
    let (url, signIn) = try auth.authorization(
        provider: .google, redirectTo: "http://127.0.0.1:49152/callback")
    let query = try await listen(url)
    let grant = try await auth.exchange(query: query, of: signIn)
    print(grant.userID)
}

// Keeps a session only for an address of the company.
func keep(_ grant: SessionGrant, _ auth: SupabaseAuth, _ manager: SessionManager) async throws {
    let staff = try BusinessEmailPolicy(allowing: ["company.example"])
    let claims = try await auth.emailClaims(of: grant.accessToken)
    guard staff.verdict(for: claims).isAllowed else {
        try await auth.signOut(grant.accessToken, scope: .this)
        return
    }
    try await manager.adopt(grant)
}

// On the server: whose request is it?
func user(of bearer: String, _ verifier: SupabaseTokenVerifier) async -> String? {
    do throws(IdentityError) {
        let claims = try await verifier.verify(bearer)
        return claims.isAnonymous ? nil : claims.userID
    } catch {
        print("refused:", error.code, error.claim ?? "")
        return nil
    }
}
print(try SupabaseProject(ref: "abcdefghijklmnop").authURL)
