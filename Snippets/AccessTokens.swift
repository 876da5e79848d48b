// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCurl
import SignetIdentity
import SignetJOSE

// snippet.AccessTokenVerifier
let profile = try AccessTokenProfile.okta(domain: "tenant.okta.com", audiences: ["api://default"])
let requests = try AccessTokenVerifier(profile, keys: .fetched(over: .curl))

// For each request.
// snippet.hide
func read(_ accessToken: String) async -> Int {
    do throws(IdentityError) {
        // snippet.show
        let token = try await requests.verify(accessToken, scopes: ["read"])
        print(token.principal, token.clientID ?? "", token.roles)
        // snippet.end
        return 200
    } catch {
        // 401; 403 with the scopes in the challenge; 503.
        return HTTPRefusal(error).status
    }
}

// What follows needs no network: an issuer of our own, whose keys are in hand.
let key = try SigningKey.generate(.rs256)
let claims: JSONValue = [
    "iss": "https://tenant.okta.com/oauth2/default", "aud": "api://default",
    "sub": "alice@company.example",
    "cid": "0oa1", "scp": ["read"],
]
let accessToken = try TokenSigner(key: key).sign(claims, lifetime: .seconds(300))
let verifier = try AccessTokenVerifier(profile, keys: .inHand(KeySet([key.verificationKey])))
print(try await verifier.verify(accessToken, scopes: ["read"]).scopes)
do {
    _ = try await verifier.verify(accessToken, scopes: ["write"])
} catch {
    let answer = HTTPRefusal(error)
    print(answer.status, answer.challenge ?? "")
}
