// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Curl

    internal import CSignetCurl

    /// The libcurl that is loaded.
    package enum CurlLibrary {
        /// Set up for this process, once, and never torn down: others in it may use libcurl too. False without TLS.
        package static let isReady: Bool = {
            guard ccurl_initialize() == 0, ccurl_has_tls() != 0 else { return false }
            // After libcurl's TLS, so that it runs before what that has registered.
            return ProcessEnd.watch()
        }()

        /// Its version and what it was built with.
        package static var version: String {
            guard let text = unsafe ccurl_version() else { return "" }
            return unsafe String(cString: text)
        }
    }

#endif
