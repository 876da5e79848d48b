// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSignetCurl
internal import CSignetOpenSSL

/// The libcurl that is loaded.
package enum CurlLibrary {
    /// Whether libcurl can be used; false without TLS. It is initialised once per process, and
    /// never torn down: the program may use libcurl too.
    package static let isReady: Bool = {
        // libcrypto no longer registers an exit handler. If other code made it register a handler
        // before, Signet's handler is registered later and runs first. Initialisation is also kept
        // apart from the exit.
        guard csignet_openssl_keep() == 1, CurlEnd.registerExitHandler(), CurlEnd.mayEnter() else {
            return false
        }
        defer { CurlEnd.leave() }
        guard ccurl_initialize() == 0, ccurl_has_tls() != 0 else { return false }
        // Repeated for a libcurl whose own TLS library has just registered a handler.
        return CurlEnd.registerExitHandler()
    }()

    /// Whether libcurl's TLS can check a server's key against pins; otherwise nothing is sent.
    package static let canPin: Bool = {
        guard isReady, CurlEnd.mayEnter() else { return false }
        defer { CurlEnd.leave() }
        guard let easy = unsafe ccurl_easy_new() else { return false }
        defer { unsafe ccurl_easy_free(easy) }
        // The pin of no key: setting it tells whether pins are understood.
        let none = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        return unsafe ccurl_set_text(easy, CURLOPT_PINNEDPUBLICKEY, none) == 0
    }()

    /// The version of libcurl and what it was built with.
    package static var version: String {
        guard let text = unsafe ccurl_version() else { return "" }
        return unsafe String(cString: text)
    }
}
