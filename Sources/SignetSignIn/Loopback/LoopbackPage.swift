// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What the browser shows: fixed texts without input from outside, scripts or links.
enum LoopbackPage {
    /// The response has arrived. It is checked afterwards.
    static let received = page(
        200, "Return to the program",
        "The answer of the sign-in has arrived. Close this window and return to the program."
    )

    /// The provider refused.
    static let refused = page(
        200, "Sign in failed", "Sign in failed. Please try again. You can close this window.")

    /// The page for a response of this sign-in.
    static func answering(_ query: String) -> [UInt8] {
        AuthorizationCallback.isRefusal(query) ? refused : received
    }

    /// No sign-in waits here.
    static let other = page(404, "Not found", "There is nothing at this address.")

    private static func page(_ status: Int, _ title: String, _ text: String) -> [UInt8] {
        let body = Array(
            """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(title)</title></head>
            <body><p>\(text)</p></body></html>

            """.utf8)
        let head = [
            "HTTP/1.1 \(status) \(status == 200 ? "OK" : "Not Found")",
            "Content-Type: text/html; charset=utf-8", "Content-Length: \(body.count)",
            "Cache-Control: no-store", "Referrer-Policy: no-referrer",
            "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options: nosniff", "Connection: close", "", "",
        ]
        return Array(head.joined(separator: "\r\n").utf8) + body
    }
}
