// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity

#if Curl
    internal import SignetCurl
#else
    internal import SignetURLSession
#endif

/// How the command line fetches keys: libcurl where it was built with it, else URLSession.
enum KeyTransport {
    static var system: some IdentityTransport {
        #if Curl
            CurlTransport.curl
        #else
            URLSessionTransport.urlSession
        #endif
    }
}
