// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCurl
internal import SignetIdentity

/// How the command line fetches keys.
enum KeyTransport {
    static var system: some IdentityTransport { CurlTransport.curl }
}
