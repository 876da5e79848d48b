// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE

/// A key that Signet made, as the text in which it leaves, and what signs with it.
struct GeneratedKey {
    let publicJWK: String?
    let publicPEM: String?
    let privateJWK: String
    let privatePEM: String?
    let signer: TokenSigner

    func sign(_ claims: Claims) throws -> String { try signer.sign(claims) }
}
