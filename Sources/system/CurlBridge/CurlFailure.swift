// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Why there is no response.
public struct CurlFailure: Error, Sendable, Equatable {
    /// The kind of fault.
    public enum Reason: Sendable {
        /// libcurl, its thread or a descriptor is unavailable, or the process is a child of the
        /// process that began.
        case unavailable
        /// The request is not valid HTTP.
        case unsendable
        case unreachable
        case notTrusted
        case notPinned
        case timedOut
        case bodyTooLarge
        case invalidResponse
        /// The body is compressed, which was not asked for.
        case compressed
        case cancelled
        /// A mail server refuses this message for good (5xx).
        case messageRefused
        /// A mail server accepts no messages now.
        case messagePutOff
        /// A mail server rejects user and password, or requires them.
        case notSignedIn
    }

    /// The kind of fault.
    public let reason: Reason
    /// libcurl's code, or 0 if the failure is not libcurl's.
    public let code: Int32
    /// The last reply of a mail server; 0 for none.
    public let reply: Int

    init(_ reason: Reason, code: Int32 = 0, reply: Int = 0) {
        self.reason = reason
        self.code = code
        self.reply = reply
    }

    /// The failure for libcurl's code. `text` is its sentence, which is inspected and not passed
    /// on, because it names addresses.
    init(code: Int32, text: String) {
        self.init(Self.reason(of: code, text: text), code: code)
    }

    private static func reason(of code: Int32, text: String) -> Reason {
        switch code {
        // OPERATION_TIMEDOUT
        case 28: .timedOut
        // FILESIZE_EXCEEDED
        case 63: .bodyTooLarge
        // SSL_PINNEDPUBKEYNOTMATCH
        case 90: .notPinned
        // SSL_CONNECT_ERROR, SSL_ENGINE_*, SSL_CERTPROBLEM, SSL_CIPHER, PEER_FAILED_VERIFICATION
        // (51 before 7.62), USE_SSL_FAILED, SSL_CACERT_BADFILE, SSL_SHUTDOWN_FAILED,
        // SSL_CRL_BADFILE, SSL_ISSUER_ERROR, SSL_INVALIDCERTSTATUS, SSL_CLIENTCERT
        case 35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 91, 98: .notTrusted
        // UNSUPPORTED_PROTOCOL (of the response: the address's is already checked),
        // WEIRD_SERVER_REPLY, WRITE_ERROR (of a decoder), OUT_OF_MEMORY (a line over 100 KB;
        // TOO_LARGE since 8.6), BAD_FUNCTION_ARGUMENT (a head that its own parser rejects),
        // BAD_CONTENT_ENCODING
        case 1, 8, 23, 27, 43, 61, 100: .invalidResponse
        // RECV_ERROR is a broken connection, or unreadable chunks.
        case 56 where text.contains("chunk"): .invalidResponse
        default: .unreachable
        }
    }
}
