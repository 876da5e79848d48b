// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetJOSE
import SignetSignIn

// Once, when the server starts. The key: 32 bytes of yours, the same on all instances.
let key = try SecretKey.generate()

// snippet.SealedCookie
let cart = try SealedCookie(
    key: key, name: "__Host-cart", purpose: "cart, version 1", lifetime: .seconds(7 * 86_400))

// The value of Set-Cookie.
let setCookie = try cart.setting("2 of article 17".utf8)
// snippet.hide
let cookies = ["theme=dark; \(setCookie.prefix { $0 != ";" })"]
// snippet.show
// A later request: the values of its Cookie fields; nil if it has no such cookie.
let contents = try cart.contents(in: cookies)
// snippet.end
print(String(decoding: contents ?? [], as: UTF8.self))

// Each request: the contents, and the Set-Cookie that removes a cookie which is no longer good.
func read(_ cookies: [String]) throws(SealedCookieError) -> (contents: [UInt8]?, setCookie: String?)
{
    do throws(SealedCookieError) {
        return (try cart.contents(in: cookies), nil)
    } catch {
        print("refused:", error.code)
        guard HTTPRefusal(error).status == 400 else { throw error }
        return (nil, cart.clearing)
    }
}
print(try read(["__Host-cart=AAAA"]).setCookie ?? "kept")

// A new key: it seals from now on, and what the old one has sealed is still opened.
let rotated = try SealedCookie(
    key: SecretKey.generate(), previous: [key], name: cart.name, purpose: "cart, version 1",
    lifetime: .seconds(7 * 86_400))
print(try rotated.contents(in: cookies)?.count ?? 0, "bytes")
