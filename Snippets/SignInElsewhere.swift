// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCurl
import SignetIdentity
import SignetSignIn

// Compiled but not called: they need a provider and a person who signs in.

// A program on this machine: the answer comes to a port of 127.0.0.1.
func signInHere() async throws -> IdentityKey {
    let signIn = try LoopbackSignIn(
        .openID(issuer: "https://idp.example", clientIDs: ["desktop"]), transport: .curl)
    let done = try await signIn.run { try? SystemBrowser.open($0) }
    return done.identity.identityKey
}

// A device without a browser: the person types a code on another one.
func signInElsewhere() async throws -> TokenEndpointResponse {
    let tokens = try TokenEndpoint(
        url: EndpointURL("https://idp.example/token"), clientID: "television",
        authentication: .none, transport: .curl)
    let device = try DeviceAuthorization(
        endpoint: EndpointURL("https://idp.example/device"), token: tokens)

    let code = try await device.begin()
    print("Go to \(code.verificationURI) and type \(code.userCode)")
    return try await device.tokens(for: code)
}

// The first step alone, for a program that does not use `SignIn`: the address for the browser. Keep
// all three values for the callback.
func addressForBrowser(
    metadata: ProviderMetadata, state: AuthorizationState, nonce: AuthorizationNonce, pkce: PKCE
) throws -> String {
    let request = try AuthorizationRequest(
        provider: metadata, clientID: "web", redirectURI: "https://app.example/callback",
        state: state, nonce: .used(nonce), pkce: .used(pkce))
    return request.url
}

// Several instances behind one address: pending sign-ins are kept where all instances find them,
// and each is taken once. A store of your own has two functions.
let waiting = MemorySignInStore()
let shared = try SignIn(
    .google(clientIDs: ["1093-web.apps.googleusercontent.com"]),
    authentication: .clientSecretPost("of Google's console"),
    redirectURI: "https://app.example/callback", keeping: .store(waiting), transport: .curl)
print(shared)
