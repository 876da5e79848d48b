// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import SignetSessionTokens
import SignetSignIn

/// Cookies that a holder of the key has made.
extension FuzzTarget {
    /// After a byte, which is odd for version 5: claims, which are encrypted with the known secret,
    /// and after a zero byte each, the values of `Cookie`. In them "@" stands for the token, "<"
    /// and ">" for its halves, and "~" for a second token of the same claims.
    static let authjs = FuzzTarget(
        "authjs",
        seeds: [
            "0\(sessionClaims)\0__Secure-next-auth.session-token=@",
            "1\(sessionClaims)\0a=b; __Secure-authjs.session-token=@",
            "1\(sessionClaims)\0__Secure-authjs.session-token.1=>; __Secure-authjs.session-token.0=<",
            "1\(sessionClaims)\0__Secure-authjs.session-token=@\0__Secure-authjs.session-token=~",
            "1\(sessionClaims)\0__Secure-authjs.session-token=@; __Secure-authjs.session-token.0=~",
            "1\(sessionClaims)\0__Secure-authjs.session-token=@; __Secure-authjs.session-token.0=",
            "1{\"sub\":\"u1\",\"exp\":1799999986,\"nbf\":1800000014.5,\"name\":null}\0"
                + "__Secure-authjs.session-token=@; authjs.session-token=~",
        ]
    ) { input in
        guard let kind = input.first else { return false }
        let texts = parted(input.dropFirst())
        let version = kind.isMultiple(of: 2) ? AuthJSWebsite.v4 : AuthJSWebsite.v5
        let website = try hold("a website is made") { try version.get() }
        let made = try hold("claims are encrypted") {
            [try website.token(texts[0]), try website.token(texts[0])]
        }
        let middle = made[0].count / 2
        let cookies = texts.dropFirst().map { text in
            replacing(
                text,
                by: [
                    UInt8(ascii: "@"): made[0], UInt8(ascii: "~"): made[1],
                    UInt8(ascii: "<"): Array(made[0][..<middle]),
                    UInt8(ascii: ">"): Array(made[0][middle...]),
                ])
        }
        guard let token = try? website.sessions.token(cookies: cookies),
            let session = try? website.sessions.verify(token)
        else { return false }
        try hold((1...255).contains(session.subject.utf8.count), "there is a subject")
        let latest = AuthJSWebsite.now - 15
        try hold(session.expiration.secondsSince1970 > latest, "the session has not ended")
        try hold((session.issuedAt?.secondsSince1970 ?? 0) <= AuthJSWebsite.now + 15, "the begin")
        if let read = try? StrictJSON.decode([String: JSONValue].self, from: texts[0]) {
            try hold(read["sub"] == .string(session.subject), "the subject is the claim")
            try hold(read["exp"] != nil, "there is an end")
        }
        // Empty cookies count as absent.
        let all = pairs(cookies).filter { $0.value?.isEmpty == false }
        let name = Array(website.sessions.cookieName.utf8)
        let whole = all.filter { $0.name == name }.map { $0.value ?? [] }
        let parts = all.filter { pair in
            pair.name.starts(with: name + [UInt8(ascii: ".")])
                && pair.name.count == name.count + 2 && pair.name.last.map(isDigit) == true
        }
        .sorted { $0.name.lexicographicallyPrecedes($1.name) }.map { $0.value ?? [] }
        try hold(whole.count + (parts.isEmpty ? 0 : 1) == 1, "there is one token")
        try hold(made.contains(whole.first ?? parts.flatMap(\.self)), "the token is the website's")
        return true
    }

    /// What a sealed cookie holds, which is sealed with the known key, and after a zero byte each,
    /// the values of `Cookie`, in which "@" stands for the cookie's value.
    static let cookie = FuzzTarget(
        "cookie",
        seeds: [
            "1800000001\nabc\0__Host-cart=@", "1800000000\nabc\0__Host-cart=@",
            "9007199254740992\n\na\nb\0x=1;\t__Host-cart=@ ; y\0z", "abc\0__Host-cart=@",
            "1800000001\n\0__Host-cart=@; __Host-cart=@", "+1800000001\n\0__Host-cart=@",
            "99999999999999999999\n\0__Host-cart=@", "1800000001\n\0__Host-cart=@A",
            "1800000001\n\0__Host-cart; __Host-cart=@",
        ]
    ) { input in
        let texts = parted(input[...])
        let cookie = try hold("a cookie is described") { try cart.get() }
        let sealed = try hold("contents are sealed") {
            try XAES256GCM.seal(
                texts[0], using: cookieKey,
                authenticating: Array("signet cookie\n__Host-cart\ncart".utf8))
        }
        let value = Array(Base64URL.encode(sealed).utf8)
        let cookies = texts.dropFirst().map { replacing($0, by: [UInt8(ascii: "@"): value]) }
        guard let contents = try? cookie.contents(in: cookies) else { return false }
        let lines = texts[0].split(
            separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        try hold(lines.count == 2 && contents.elementsEqual(lines[1]), "what was sealed is opened")
        let end = Int64(String(decoding: lines[0], as: UTF8.self)) ?? 0
        try hold(end > 1_800_000_000, "the cookie has not expired")
        let values = pairs(cookies).filter { $0.name.elementsEqual("__Host-cart".utf8) }
        try hold(values.compactMap(\.value) == [value], "there is one cookie of the name")
        return true
    }

    private static let sessionClaims = #"{"sub":"u1","iat":1800000000,"exp":1800003600,"jti":"t1"}"#
    private static let cookieKey = SecretKey(copying: [UInt8](repeating: 7, count: 32))
    private static let cart = Result {
        try SealedCookie(
            key: cookieKey, name: "__Host-cart", purpose: "cart", lifetime: .seconds(3_600),
            clock: .fixed(secondsSince1970: 1_800_000_000))
    }

    /// The texts between zero bytes, of which there is at least one.
    private static func parted(_ input: ArraySlice<UInt8>) -> [[UInt8]] {
        input.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
    }

    /// The text with bytes that stand for others.
    private static func replacing(_ text: [UInt8], by values: [UInt8: [UInt8]]) -> String {
        String(decoding: text.flatMap { values[$0] ?? [$0] }, as: UTF8.self)
    }

    /// A second reader of the values of `Cookie`. A pair without "=" has no value.
    private static func pairs(_ cookies: [String]) -> [(name: [UInt8], value: [UInt8]?)] {
        var pairs: [(name: [UInt8], value: [UInt8]?)] = []
        for pair in cookies.flatMap({ $0.utf8.split(separator: UInt8(ascii: ";")) }) {
            var text = Array(pair.drop(while: isBlank))
            while let last = text.last, isBlank(last) { text.removeLast() }
            let name = Array(text.prefix { $0 != UInt8(ascii: "=") })
            let rest = text.dropFirst(name.count + 1)
            let value: [UInt8]? = name.count < text.count ? Array(rest) : nil
            pairs.append((name: name, value: value))
        }
        return pairs
    }

    private static func isBlank(_ octet: UInt8) -> Bool {
        octet == UInt8(ascii: " ") || octet == UInt8(ascii: "\t")
    }

    private static func isDigit(_ octet: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet)
    }
}
