// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import SignetJOSE

    /// A request with a session's cookie that would change something or open a WebSocket, and that
    /// no page of a named origin has sent.
    struct CrossSiteRequest: RefusesRequest {
        var httpRefusal: HTTPRefusal { .forbidden }
    }
#endif
