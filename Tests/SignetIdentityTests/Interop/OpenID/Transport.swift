// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCurl
import SignetIdentity
import SignetURLSession

/// What carries these tests: libcurl's transport, where it was built.
enum Transport {
    static var system: some IdentityTransport {
        #if Curl
            CurlTransport.curl
        #else
            URLSessionTransport.urlSession
        #endif
    }
}
