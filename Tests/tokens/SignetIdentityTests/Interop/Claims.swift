// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase

/// What every token of these tests claims: the registered claims, and values on which JSON
/// implementations are known to disagree.
struct Claims: Codable, Sendable, Equatable {
    struct Nested: Codable, Sendable, Equatable {
        var flags: [Bool]
        var nothing: String?
        var text: String
    }

    var iss = "https://issuer.example"
    var sub = "user-1"
    var aud = ["api", "other"]
    var iat: Int64
    var exp: Int64
    // Astral plane, controls, a slash: each library escapes them in its own way.
    var name = "Zoë ☃ 𝄞 \"quoted\" \\ / \u{7F} \t"
    // No Double holds this one.
    var big: Int64 = 9_007_199_254_740_993
    var ratio = 0.5
    var nested = Nested(flags: [true, false], nothing: nil, text: "")

    /// Valid for an hour, from now.
    static let current = {
        let now = Int64(TimeSource.peers.now().secondsSince1970)
        return Claims(iat: now - 10, exp: now + 3600)
    }()

    /// Signet's clock, ten seconds after ``current`` were issued.
    static func clock(secondsFromNow: Int64 = 0) -> TimeSource {
        .fixed(secondsSince1970: Double(current.iat + 10 + secondsFromNow))
    }

    /// Expired an hour ago.
    static var expired: Claims {
        var claims = current
        claims.iat -= 7200
        claims.exp -= 7200
        return claims
    }
}

extension TimeSource {
    /// That of the other implementations.
    static var peers: TimeSource { TimeSource.system }
}
