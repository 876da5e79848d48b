// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity

/// How a cookie with the prefix `__Host-` is set, cleared and read.
struct HostCookie: Sendable {
    /// When a browser sends the cookie with a request that another site's page has caused.
    enum SameSite: String {
        /// When a person follows a link.
        case lax = "Lax"
        /// Always.
        case none = "None"
    }

    /// Browsers store no cookie for longer: 400 days (draft-ietf-httpbis-rfc6265bis, section 5.5).
    static let maximumSeconds: Int64 = 34_560_000

    private let attributes: String

    init(_ sameSite: SameSite) {
        attributes = "; Path=/; Secure; HttpOnly; SameSite=\(sameSite.rawValue)"
    }

    /// The value of `Set-Cookie` that stores a value for this many seconds.
    func setting(_ value: String, named name: String, forSeconds seconds: Int64) -> String {
        "\(name)=\(value)\(attributes); Max-Age=\(seconds)"
    }

    /// The value of `Set-Cookie` that removes the cookie.
    func clearing(_ name: String) -> String { "\(name)=\(attributes); Max-Age=0" }

    /// The values of the cookie in the values of a request's `Cookie` fields, in their order (RFC
    /// 6265, section 4.2.1). Cookies of any other name are ignored, even malformed ones.
    static func values(of name: String, in fields: [String]) -> [String] {
        let wanted = Array(name.utf8) + [UInt8(ascii: "=")]
        var values: [String] = []
        for field in fields {
            // NAME=VALUE; NAME=VALUE; …
            for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
                let pair = pair.withoutOuterBlanks
                guard pair.starts(with: wanted) else { continue }
                values.append(String(decoding: pair.dropFirst(wanted.count), as: UTF8.self))
            }
        }
        return values
    }
}
