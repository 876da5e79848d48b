// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// A page to try sign-in by hand, only with an issuer for development: users never see it.
enum SignInPage {
    static func add(to router: Router<Guest>) {
        router.get("/") { _, _ in Response(page, "text/html; charset=utf-8") }
        router.get("signin.js") { _, _ in Response(script, "text/javascript; charset=utf-8") }
    }

    private static let page = """
        <!doctype html><html lang="en"><meta charset="utf-8"><title>Signet sign-in</title>
        <meta name="viewport" content="width=device-width"><script src="/signin.js" defer></script>
        <h1>Sign-in for development</h1>
        <pre id="me">…</pre>
        <p><a id="in" href="/signin/openid">Sign in</a></p>
        <button id="out" hidden>Sign out</button>

        """

    private static let script = """
        const me = document.getElementById("me"), out = document.getElementById("out");
        async function show() {
            const answer = await fetch("/v1/auth/me");
            me.textContent = answer.ok
                ? JSON.stringify(await answer.json(), null, 2)
                : answer.status === 401 ? "Not signed in" : "Error " + answer.status;
            out.hidden = !answer.ok;
        }
        out.onclick = async () => {
            await fetch("/v1/auth/sign-out", { method: "POST" });
            await show();
        };
        show();
        """
}

extension Response {
    fileprivate init(_ text: String, _ type: String) {
        self.init(
            status: .ok,
            headers: [
                .contentType: type, .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
                .contentSecurityPolicy:
                    "default-src 'none'; script-src 'self'; connect-src 'self'; "
                    + "frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
            ], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
