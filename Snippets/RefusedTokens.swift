// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE

let secret = try HMACKey.generate(.hs256)
let policy = try TokenPolicy(issuer: "https://idp.example", audience: ["api"])
let verifier = try TokenVerifier(hmacKey: secret, policy: policy)

func status(for compact: String) -> Int {
    do throws(TokenError) {
        _ = try verifier.verify(compact)
        return 200
    } catch {
        // The log gets the reason, the outside one and the same answer for all of them.
        print("refused:", error.code.rawValue, error.claim ?? "")
        return error.isClientFault ? 401 : 500
    }
}

print(status(for: "eyJhbGciOiJub25lIn0.e30."))
