// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CurlBridge
internal import SignetIdentity

extension TransportFailure {
    init(_ failure: CurlFailure) {
        let number: ErrorMessage = failure.code == 0 ? "" : " (libcurl's code \(failure.code))"
        switch failure.reason {
        case .unavailable:
            self.init(
                .unreachable,
                "libcurl cannot be used: no memory, descriptor or thread, no TLS, or the process "
                    + "is ending or a child of the one that began\(number)."
            )
        case .unsendable:
            self.init(
                .invalidRequest,
                "The request holds a field with a control character, and was not sent.")
        // CURLE_COULDNT_RESOLVE_HOST
        case .unreachable where failure.code == 6:
            self = .unknownHost("There is no host of this name\(number).")
        case .unreachable:
            self.init(
                .unreachable, "No connection, or it broke before the answer was complete\(number).")
        case .notTrusted:
            self.init(
                .notTrusted,
                "The server's certificate is not trusted, or TLS failed otherwise\(number).")
        case .notPinned:
            self.init(
                .notPinned,
                "The server's key is not one of those pinned for its host, or TLS was not asked for: "
                    + "nothing was sent.")
        case .timedOut: self.init(.timedOut, "No complete answer in time.")
        case .bodyTooLarge: self.init(.bodyTooLarge, "The body is longer than the request allows.")
        case .invalidResponse:
            self.init(.invalidResponse, "Signet does not accept the HTTP response\(number).")
        // Only for mail servers.
        case .messageRefused, .messagePutOff, .notSignedIn:
            self.init(.invalidResponse, "The response is not valid HTTP\(number).")
        case .cancelled: self.init(.cancelled, "The caller gave up.")
        }
    }
}
