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
            self = .unknownHost(
                "No host has this name\(number): check the address, and this machine's DNS.")
        case .unreachable:
            self.init(.unreachable, "\(Self.noConnection(failure.code))\(number).")
        case .notTrusted:
            self.init(.notTrusted, "\(Self.noTrust(failure.code))\(number).")
        case .notPinned:
            self.init(
                .notPinned,
                "The server's key is not one of those pinned for its host, or TLS was not asked for: "
                    + "nothing was sent.")
        case .timedOut: self.init(.timedOut, "No complete answer in time.")
        case .bodyTooLarge: self.init(.bodyTooLarge, "The body is longer than the request allows.")
        case .compressed:
            self.init(
                .invalidResponse,
                "The answer is compressed, which was not asked for (Accept-Encoding: identity).")
        case .invalidResponse:
            self.init(.invalidResponse, "\(Self.noHTTP(failure.code))\(number).")
        // Only for mail servers.
        case .messageRefused, .messagePutOff, .notSignedIn:
            self.init(.invalidResponse, "The response is not valid HTTP\(number).")
        case .cancelled: self.init(.cancelled, "The caller gave up.")
        }
    }

    private static func noConnection(_ code: Int32) -> ErrorMessage {
        switch code {
        // COULDNT_RESOLVE_PROXY
        case 5: "No host has the proxy's name"
        // COULDNT_CONNECT
        case 7:
            "No connection: it was refused, or no way leads to the host. Check host and port, and "
                + "that the server runs"
        // HTTP2, HTTP2_STREAM
        case 16, 92: "The connection broke the rules of HTTP/2"
        // PARTIAL_FILE
        case 18: "The connection ended before the answer was complete"
        // GOT_NOTHING
        case 52: "The server closed the connection without an answer"
        // SEND_ERROR, RECV_ERROR
        case 55, 56: "The connection broke before the answer was complete"
        // PROXY
        case 97: "The proxy made no connection to the host"
        default: "No connection, or it broke before the answer was complete"
        }
    }

    private static func noTrust(_ code: Int32) -> ErrorMessage {
        switch code {
        // SSL_CONNECT_ERROR
        case 35:
            "TLS was not agreed on: the server may not speak it on this port, or no version or "
                + "cipher that is accepted here"
        // PEER_FAILED_VERIFICATION, with its number before libcurl 7.62
        case 51, 60:
            "The server's certificate is not trusted: it has expired, is for another name, or is of "
                + "an authority that this machine does not know"
        // SSL_CACERT_BADFILE
        case 77: "The file of the trusted authorities cannot be read"
        default: "The server's certificate is not trusted, or TLS failed otherwise"
        }
    }

    private static func noHTTP(_ code: Int32) -> ErrorMessage {
        switch code {
        // UNSUPPORTED_PROTOCOL, WEIRD_SERVER_REPLY
        case 1, 8: "The answer is not HTTP"
        // WRITE_ERROR (of a decoder), BAD_CONTENT_ENCODING
        case 23, 61: "The answer's body does not decode"
        // OUT_OF_MEMORY, TOO_LARGE
        case 27, 100: "A line of the answer's head is too long"
        // RECV_ERROR
        case 56: "The chunks of the answer's body are not in HTTP's form"
        default: "The answer's head is not in the form that HTTP prescribes, or states two lengths"
        }
    }
}
