// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import SignetJOSE

    /// A request with a session cookie that would change something or open a WebSocket, but was not
    /// sent by a page of a named origin.
    struct CrossSiteRequest: RefusesRequest {
        var httpRefusal: HTTPRefusal { .forbidden }
    }
#endif
