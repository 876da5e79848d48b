// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetSessionTokens
import SignetSignIn

/// What a browser or a client sends.
extension FuzzTarget {
    /// The values of `Authorization` and `Cookie`, with zero bytes between. A token that is found
    /// stands in a field and reads back as itself.
    static let fields = FuzzTarget(
        "fields",
        seeds: [
            "Bearer a.b.c", "bearer  abc==", "Basic YTpi", "\0__Host-session=a.b.c",
            "Bearer a.b.c\0x=1; __Host-session=a.b.c;y", "Bearer a\0__Host-session=b",
            "\0__Host-session=a\0__Host-session=a", "Bearer é",
        ]
    ) { input in
        let values = input.split(separator: 0, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        let authorization = values.prefix(1).filter { !$0.isEmpty }
        let cookie = try hold("a cookie's name is taken") { try SessionCookie() }
        guard
            let found = try? cookie.token(
                authorization: authorization, cookies: Array(values.dropFirst()))
        else { return false }
        let text = found.token.exposedText
        let isThere = values.contains { value in
            let value = Array(value.utf8)
            return value.indices.contains { value[$0...].starts(with: text.utf8) }
        }
        try hold(isThere, "the token stands in a field")
        for (fields, cookies) in [(["Bearer " + text], []), ([], [cookie.name + "=" + text])] {
            let again = try hold("a found token is found again") {
                try cookie.token(authorization: fields, cookies: cookies)
            }
            try hold(again.token.isEqual(to: found.token), "a token reads back as itself")
        }
        return true
    }

    /// The query of a callback. One that is accepted has this sign-in's state, and the whole
    /// address gives the same code.
    static let callback = FuzzTarget(
        "callback",
        seeds: [
            "code=abc&state=\(stateText)",
            "code=a%2Fb+c&iss=https://idp.example&state=\(stateText)",
            "error=access_denied&error_description=no%20%C3%A9&state=\(stateText)",
            "state=\(stateText)&session_state=1&scope=openid%20email&code=1&&=", "code=1&state=x",
            "st%61te=\(stateText)&code=1&code=2", "iss=https://other.example&code=1&state=x",
        ]
    ) { input in
        let query = String(decoding: input, as: UTF8.self)
        let state = try hold("a state is made") { try AuthorizationState(stateText) }
        let issuer = "https://idp.example"
        guard let callback = try? AuthorizationCallback(query: query, state: state, issuer: issuer)
        else { return false }
        let values = query.utf8.split(separator: UInt8(ascii: "&")).compactMap { pair -> [UInt8]? in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard parts.count == 2, decoded(parts[0]).elementsEqual("state".utf8) else {
                return nil
            }
            return decoded(parts[1])
        }
        try hold(values == [Array(stateText.utf8)], "the state is there once")
        guard !query.utf8.contains(UInt8(ascii: "#")) else { return true }
        let redirect = "https://app.example/callback"
        let whole = try hold("the whole address is accepted") {
            try AuthorizationCallback(
                url: redirect + "?" + query, redirectURI: redirect, state: state, issuer: issuer)
        }
        try hold(
            whole.code.exposedText.utf8.elementsEqual(callback.code.exposedText.utf8),
            "the whole address gives the same code")
        return true
    }

    static let stateText = "af0ifjsldkj-af0ifjsldkj-af0ifjsldkj"

    /// A second reader of percent-encoding.
    static func decoded(_ text: some Collection<UInt8>) -> [UInt8] {
        var rest = Array(text)[...]
        var octets = [UInt8]()
        while let octet = rest.popFirst() {
            if octet == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                rest = rest.dropFirst(2)
                octets.append(value)
            } else {
                octets.append(octet == UInt8(ascii: "+") ? UInt8(ascii: " ") : octet)
            }
        }
        return octets
    }
}
