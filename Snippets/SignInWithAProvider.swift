// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCurl
import SignetEmail
import SignetIdentity
import SignetJOSE

// Once, when the server starts. Keys are fetched when the first token comes, and kept current.
// snippet.IDTokenVerifier
let google = try IDTokenVerifier(
    .google(clientIDs: ["1093-web.apps.googleusercontent.com"]), keys: .fetched(over: .curl))
// snippet.hide
let staff = try BusinessEmailPolicy(allowing: [
    "company.example", .includeSubdomains("partner.example"),
])

// snippet.show
// For each token, with the nonce of the request that led to it.
// snippet.hide
func signIn(_ idToken: String, nonce: String) async -> Int {
    do throws(IdentityError) {
        // snippet.show
        let identity = try await google.verify(idToken, nonce: .raw(nonce))
        // snippet.end
        guard staff.verdict(for: identity.email).isAllowed else { return 403 }
        // The lasting identity: never the address, which may change hands.
        print("signed in:", identity.identityKey)
        return 200
    } catch {
        // The log gets the reason. The client gets one answer for every reason: 401, or 503 if
        // Google's keys are out of reach.
        print("refused:", error.fullCode, error.claim ?? "")
        return HTTPRefusal(error).status
    }
}

// What follows needs no network: a provider of our own, whose keys are in hand.
let key = try SigningKey.generate(.es256)
let claims = [
    "iss": "https://idp.example", "aud": "shop", "sub": "248289761001", "nonce": "n-0S6_WzA2Mj",
]
let idToken = try TokenSigner(key: key).sign(claims, lifetime: .seconds(300))

let provider = try IdentityProvider.openID(
    issuer: "https://idp.example", clientIDs: ["shop"], algorithms: [.es256])
let verifier = try IDTokenVerifier(provider, keys: .inHand(KeySet([key.verificationKey])))
let identity = try await verifier.verify(idToken, nonce: .raw("n-0S6_WzA2Mj"))
print(identity.identityKey)

do {
    _ = try await verifier.verify(idToken, nonce: .raw("another"))
} catch {
    print(error.code == .nonceMismatch, HTTPRefusal(error).status)
}
