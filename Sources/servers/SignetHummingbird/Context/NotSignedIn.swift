// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import SignetJOSE

    /// A guest requested something that needs a sign-in.
    struct NotSignedIn: RefusesRequest {
        var httpRefusal: HTTPRefusal { .authenticate }
    }
#endif
