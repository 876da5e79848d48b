// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The pages that the browser shows: fixed texts without input from outside, scripts or links.
enum LoopbackPage {
    /// The page for a response that has arrived. The response is checked afterwards.
    static let received = page(
        "200 OK", title: "Return to the program",
        text: "The answer of the sign-in has arrived. Close this window and return to the program."
    )

    /// The page for a provider's refusal.
    static let refused = page(
        "200 OK", title: "Sign in failed",
        text: "Sign in failed. Please try again. You can close this window.")

    /// The page for a response, by whether it reports an error.
    static func page(for query: String) -> [UInt8] {
        AuthorizationCallback.isRefusal(query) ? refused : received
    }

    /// The page for any address that is no sign-in's.
    static let other = page(
        "404 Not Found", title: "Not found", text: "There is nothing at this address.")

    /// The page for another user's program.
    static let foreign = page(
        "403 Forbidden", title: "Not your sign-in",
        text:
            "Another user of this machine began this sign-in, and only that user's programs get an "
            + "answer. Begin again as yourself, or with a code on another device.")

    /// The page for a one-time address that was opened before.
    static let openedTwice = page(
        "410 Gone", title: "Opened twice",
        text:
            "This address works once, and was opened before. The sign-in has ended: begin again in the "
            + "program, and open the new address once.")

    /// The redirect that sends the browser to the provider.
    ///
    /// - Parameter address: the provider's address, as ``SignIn`` made it.
    static func redirect(to address: String) -> [UInt8] {
        head("302 Found", fields: ["Location: \(address)", "Content-Length: 0"])
    }

    private static func page(_ status: String, title: String, text: String) -> [UInt8] {
        let body = Array(
            """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(title)</title></head>
            <body><p>\(text)</p></body></html>

            """.utf8)
        return head(
            status,
            fields: [
                "Content-Type: text/html; charset=utf-8", "Content-Length: \(body.count)",
                "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
                "X-Content-Type-Options: nosniff",
            ]) + body
    }

    private static func head(_ status: String, fields: [String]) -> [UInt8] {
        let own = ["Cache-Control: no-store", "Referrer-Policy: no-referrer", "Connection: close"]
        let lines = ["HTTP/1.1 \(status)"] + fields + own + ["", ""]
        return Array(lines.joined(separator: "\r\n").utf8)
    }
}
