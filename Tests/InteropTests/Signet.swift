// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE

/// What these tests ask of Signet, with keys as text, the way other programs hand them over.
enum Signet {
    /// What a verifier expects; the defaults are what ``Claims/current`` satisfies.
    struct Policy {
        var issuer = "https://issuer.example"
        var audience = "api"
        var secondsFromNow: Int64 = 0
    }
}
