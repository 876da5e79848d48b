// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCurl
import SignetIdentity
import SignetJOSE

// An endpoint that takes ID tokens of several providers: `iss` chooses the verifier, which then
// checks all of the token.
let google = try IDTokenVerifier(
    .google(clientIDs: ["1093-web.apps.googleusercontent.com"]), keys: .fetched(over: .curl))
let apple = try IDTokenVerifier(
    .apple(clientIDs: ["com.example.app"]), keys: .fetched(over: .curl))
let providers = try IDTokenVerifiers([google, apple])

func signIn(_ idToken: String, nonce: String) async throws(IdentityError) -> IdentityKey {
    let verifier = try providers.verifier(for: idToken)
    return try await verifier.verify(idToken, nonce: .raw(nonce)).identityKey
}

// An issuer without a profile of its own.
var profile = try AccessTokenProfile(
    issuer: "https://idp.example", audience: .anyOf(["https://api.example"]))
profile.roleClaims = [["groups"]]

// One set of keys for all verifiers of one issuer's tokens, and a handler of its events.
var options = KeySetOptions()
options.onEvent = { event in print(event) }
let keys = try RemoteKeySet(issuer: "https://idp.example", transport: .curl, options: options)
let requests = try AccessTokenVerifier(profile, keys: .shared(keys))

// Says where tokens for this API come from (RFC 9728).
let resource = try ProtectedResource(
    EndpointURL("https://api.example/v1"), authorizationServers: ["https://idp.example"])
print("GET", resource.metadataPath, "answers", resource.metadata)

func refusal(of error: IdentityError) -> (status: Int, challenge: String?) {
    let refusal = HTTPRefusal(error)
    return (refusal.status, resource.challenge(of: refusal))
}
