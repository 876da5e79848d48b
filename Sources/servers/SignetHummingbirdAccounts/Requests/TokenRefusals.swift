// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import SignetJOSE

    /// The token endpoint has one grant: `refresh_token`.
    struct UnsupportedGrantType: RefusesRequest {
        var httpRefusal: HTTPRefusal { .unsupportedGrantType }
    }

    /// The client authenticates with a secret, and there are none here: to ignore it would tell the
    /// client that it was checked.
    struct ClientWithSecret: RefusesRequest {
        var httpRefusal: HTTPRefusal { .invalidClient }
    }
#endif
