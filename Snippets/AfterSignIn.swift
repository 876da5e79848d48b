// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetCurl
import SignetIdentity
import SignetJOSE
import SignetSignIn

// A client that signs what it sends, and has no secret that could be copied from a server's log.
let issuer = "https://idp.example"
let clientKey = try SigningKey.generate(.es256, keyID: "client-2026")
let authentication = ClientAuthentication.privateKeyJWT(clientKey, audience: issuer)
let provider = try IdentityProvider.openID(issuer: issuer, clientIDs: ["app"])
let signIn = try SignIn(
    provider, authentication: authentication, redirectURI: "https://app.example/callback",
    keeping: .store(MemorySignInStore()), transport: .curl)

// An API whose access tokens are opaque: it asks the server that issued them.
let introspection = try TokenIntrospection(
    AccessTokenProfile(issuer: issuer, audience: .anyOf(["https://api.example"])),
    at: EndpointURL("https://idp.example/introspect"), clientID: "api",
    authentication: authentication, transport: .curl)

func read(
    _ presented: BearerToken
) async throws(IdentityError) -> VerifiedAccessToken.Principal {
    try await introspection.verify(presented.exposedText, scopes: ["read"]).principal
}

// What the provider says beyond the ID token, and only of the same person.
func name(of finished: SignIn.Finished) async throws(SignInError) -> String? {
    try await signIn.userInfo(of: finished).name
}

// Sign-out: the session here first, then the browser goes to the provider. The hint is
// `finished.identity.idTokenHint`, from a column of yours beside the session.
func signOut(
    _ sessionID: String, of userID: String, in sessions: RefreshTokens, hint: String?
) async throws -> LogoutRequest {
    try await sessions.end(sessionID, of: userID)
    // 303 to its url. Keep its state in a cookie, to compare with the state that comes back.
    return try await signIn.logoutRequest(
        idToken: hint, returningTo: "https://app.example/signed-out")
}

// The provider reports that a user has signed out there: a POST, whose body is a form.
let logouts = try BackChannelLogout(
    provider, keys: .fetched(over: .curl), replays: MemoryLogoutReplayStore())

/// A row of yours beside a session, with the issuer and `identity.sessionID` of its sign-in.
struct SessionRow { var sessionID: String, userID: String }

func receive(
    form: String, _ sessions: RefreshTokens, userID: (IdentityKey) async throws -> String?,
    rows: (_ issuer: String, _ sid: String) async throws -> [SessionRow]
) async -> (status: Int, cacheControl: String) {
    let answer = await logouts.receive(form: form) { logout in
        if let sid = logout.sessionID {
            // This session at the provider alone.
            for row in try await rows(logout.issuer, sid) {
                try await sessions.end(row.sessionID, of: row.userID)
            }
        } else if let key = logout.identityKey, let user = try await userID(key) {
            try await sessions.endAll(of: user)
        }
    }
    if let error = answer.error { print("a logout was not done:", error) }
    return (answer.status, answer.cacheControl)
}

print(authentication)
