// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSignetCurl
internal import CSignetOpenSSL

/// The libcurl that is loaded.
package enum CurlLibrary {
    /// Set up for this process, once, and never torn down: others in it may use libcurl too. False
    /// without TLS.
    package static let isReady: Bool = {
        // libcrypto registers nothing for the end any more. Where other code had it do so before,
        // this is registered later and runs first; and the setting up is kept apart from the end as
        // well.
        guard csignet_openssl_keep() == 1, ProcessEnd.watch(), ProcessEnd.mayEnter() else {
            return false
        }
        defer { ProcessEnd.leave() }
        guard ccurl_initialize() == 0, ccurl_has_tls() != 0 else { return false }
        // Once more, for a libcurl with a TLS library of its own that has registered something now.
        return ProcessEnd.watch()
    }()

    /// Whether its TLS can hold a server's key against pinned ones; else nothing would be sent.
    package static let canPin: Bool = {
        guard isReady, ProcessEnd.mayEnter() else { return false }
        defer { ProcessEnd.leave() }
        guard let easy = unsafe ccurl_easy_new() else { return false }
        defer { unsafe ccurl_easy_free(easy) }
        let none = "sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        return unsafe ccurl_set_text(easy, CURLOPT_PINNEDPUBLICKEY, none) == 0
    }()

    /// Its version and what it was built with.
    package static var version: String {
        guard let text = unsafe ccurl_version() else { return "" }
        return unsafe String(cString: text)
    }
}
