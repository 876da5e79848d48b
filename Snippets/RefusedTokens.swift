// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE

let secret = try HMACKey.generate(.hs256)
let policy = try TokenPolicy(issuer: "https://idp.example", audience: ["api"])
let verifier = try TokenVerifier(hmacKey: secret, policy: policy)

func refusal(of compact: Substring) -> HTTPRefusal? {
    do throws(TokenError) {
        _ = try verifier.verify(compact)
        return nil
    } catch {
        // The log gets the reason. The client gets the same answer for every reason.
        print("refused:", error.fullCode, error.claim ?? "")
        return HTTPRefusal(error)
    }
}

// A part of another text can be passed as it is.
if let refusal = refusal(of: "Bearer eyJhbGciOiJub25lIn0.e30.".dropFirst(7)) {
    // 401, and what goes into "WWW-Authenticate": Bearer error="invalid_token"
    print(refusal.status, refusal.challenge ?? "")
}
