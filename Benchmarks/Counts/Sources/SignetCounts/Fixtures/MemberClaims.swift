// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetJOSE

/// A session with a list of groups, which makes it as long as wanted: each has 24 characters.
struct MemberClaims: Codable, Equatable, Sendable {
    var sub = "user_01HZX3V9F2"
    var iat = 1_700_000_000
    var exp = Expected.expiration
    var iss = Expected.sessionIssuer
    var aud = Expected.sessionAudience
    var groups = [String]()

    /// The largest payload of at most so many bytes.
    init(payloadByteCount: Int) {
        // 123 bytes without groups; a group takes 27 with its quotation marks and comma.
        groups = (0..<max((payloadByteCount - 122) / 27, 0)).map { "tenant-07/members/\(100_000 + $0)" }
    }

    static func payloadByteCount(_ token: String) throws -> Int {
        let parts = token.split(separator: ".")
        guard parts.count == 3 else { throw CountsError.setup("not a token") }
        return try Base64URL.decode(parts[1]).count
    }
}
