// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSessionTokens

// What the website's program reads too, as it stands there. The cookie below was made with it.
let environment = ["AUTH_SECRET": "c2VjcmV0LW9mLXRoZS1maWd1cmVzLTMyLWJ5dGVzISE="]
let cookie = """
    eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2Q0JDLUhTNTEyIiwia2lkIjoieEU5SWJmZ3lObGZ6MUZUTmEy\
    QmJpYjl6MTdpMHk5V09wemN2OEcxejYtNlplODNpblFDMnhSMnR2ZFQyVkdPZ2ZaS2daSGc5ZHJ0ZVRs\
    aXpyWmhVQ3cifQ..BsTh8l7hBwpNcZQbIKSi-Q.lzLk0kcURZTRI8BfnHstiZOYYiEQaC0vV-_k095Ft\
    IbYFAtvc5T2_QXf_1PvBX04VdW1q2f6pIWpzYFjZ7Aq1rH2r6TWxr09UZMKa504jxaDq-Z2Lkux-h457\
    LCjkL5-BEhQFU_Nrw82hYhCO1PJIKRgkzuPFzj0_Dcx-yulhNmjarTT3xAg1hb0mtDfny3wANyo7qFeq\
    psYiRn3YC3WBos-7pHulnQr1trucV51NktchLKBRv_YIqDz10DGTFWAjIjxbBP6tXdUqtPIZT9Il9jOn\
    nrNVaO7ZhvcqRrjYOA.uaRLDE7vEJ9-8j1RysWpKpl3uDHlnBpQfMCS9JWi3rQ
    """
// The values of all of a request's `Cookie` fields.
let cookies = ["theme=dark; __Secure-authjs.session-token=\(cookie)"]

// The moment for which the cookie was made; a server leaves out the clock.
let clock = TimeSource.fixed(secondsSince1970: 1_800_000_000)

let sessions = try AuthJSSessions(
    .v5, secrets: AuthJSSessions.secrets(environment: environment), clock: clock)
let session = try sessions.verify(sessions.token(cookies: cookies))

/// What the website's callback `jwt` writes.
struct WebsiteClaims: Decodable {
    let account: String
}

// `google|117584285732048297471`: whose account it is, at each sign-in the same.
print(try session.claims(as: WebsiteClaims.self).account)
// For a greeting. Neither decides anything.
print(session.name ?? "", session.unverifiedEmail ?? "")
