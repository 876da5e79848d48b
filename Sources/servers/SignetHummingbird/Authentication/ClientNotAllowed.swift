// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import SignetJOSE

    /// A client's own token on a route that is for users.
    struct ClientNotAllowed: RefusesRequest {
        var httpRefusal: HTTPRefusal { .forbidden }
    }
#endif
