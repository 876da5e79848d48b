// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import SignetJOSE

    /// A guest asked for what is for people who are signed in.
    struct NotSignedIn: RefusesRequest {
        var httpRefusal: HTTPRefusal { .authenticate }
    }
#endif
