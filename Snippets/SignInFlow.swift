// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetCurl
import SignetIdentity
import SignetJOSE
import SignetSignIn

let clientSecret = "of Google's console"
let key = try SecretKey.generate()

// Once, when the server starts. The key: 32 bytes of yours, the same on all instances.
// snippet.SignIn
let signIn = try SignIn(
    .google(clientIDs: ["1093-web.apps.googleusercontent.com"]),
    authentication: .clientSecretPost(clientSecret), redirectURI: "https://app.example/callback",
    keeping: .cookie(sealedWith: key), transport: .curl)

// GET /sign-in: 303 to the address, with the cookie.
// snippet.hide
func begin() async throws(SignInError) -> (location: String, setCookie: String) {
    // snippet.show
    let begun = try await signIn.begin(applicationState: "/inbox")
    // snippet.hide
    return (begun.url, begun.setCookie)
}

// snippet.show
// GET /callback: what follows the "?", and the request's Cookie field.
// snippet.hide
func callback(query: String, cookies: String) async -> (status: Int, setCookie: String?) {
    do throws(SignInError) {
        // snippet.show
        let done = try await signIn.finish(query: query, cookies: cookies)
        print("signed in:", done.identity.identityKey, "on the way to", done.applicationState)
        // snippet.end
        return (303, done.clearedCookie)
    } catch {
        print("refused:", error.code)
        // A double click, or more than ten minutes.
        guard !error.shouldBeginAgain else { return (303, nil) }
        return (HTTPRefusal(error).status, nil)
    }
}

print(await callback(query: "code=a", cookies: "").status)
