// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetIdentity
internal import SignetURLSession

/// How the command line fetches keys where it is built without libcurl.
enum KeyTransport {
    static var system: some IdentityTransport { URLSessionTransport.urlSession }
}
