// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import FoundationNetworking
internal import SignetIdentity

extension TransportFailure {
    static let gaveUp = TransportFailure(.cancelled, "The caller gave up.")
    static let longBody = TransportFailure(.bodyTooLarge, "The body is longer than the request allows.")

    /// What `URLSession` says, without its text: that names the address with its query.
    init(_ error: any Error, isEncrypted: Bool) {
        let error = error as NSError
        switch error.code {
        case NSURLErrorTimedOut:
            self.init(.timedOut, "No complete answer in time.")
        case NSURLErrorCancelled:
            self = .gaveUp
        case NSURLErrorServerCertificateUntrusted, NSURLErrorServerCertificateHasBadDate,
            NSURLErrorServerCertificateHasUnknownRoot, NSURLErrorServerCertificateNotYetValid,
            NSURLErrorSecureConnectionFailed, NSURLErrorClientCertificateRejected,
            NSURLErrorClientCertificateRequired:
            self = .untrusted
        case NSURLErrorBadServerResponse, NSURLErrorCannotDecodeRawData, NSURLErrorCannotDecodeContentData,
            NSURLErrorCannotParseResponse, NSURLErrorZeroByteResource, NSURLErrorUnsupportedURL:
            self.init(.invalidResponse, "What came is no answer of HTTP.")
        case NSURLErrorDataLengthExceedsMaximum:
            self = .longBody
        case NSURLErrorUnknown:
            self = Self.unnamed(error.localizedDescription, isEncrypted: isEncrypted)
        default:
            self.init(
                .unreachable,
                "No connection, or it broke before the answer was complete (code \(error.code)).")
        }
    }

    private static let untrusted = TransportFailure(
        .notTrusted, "The server's certificate is not trusted, or TLS failed otherwise.")

    /// swift-corelibs-foundation has no code for what goes wrong in TLS, nor for an answer that libcurl cannot read: only libcurl's
    /// sentence tells them apart from a broken connection. It is looked at and not handed on.
    private static func unnamed(_ text: String, isEncrypted: Bool) -> TransportFailure {
        if isEncrypted, ["SSL", "TLS", "certificate"].contains(where: text.contains) { return untrusted }
        let unreadable = [
            "writing", "header", "HTTP/0.9", "chunk", "Chunk", "encoding", "Unsupported", "protocol",
        ]
        if unreadable.contains(where: text.contains) {
            return TransportFailure(.invalidResponse, "What came is no answer of HTTP.")
        }
        return TransportFailure(.unreachable, "No connection, or it broke before the answer was complete.")
    }
}

extension Duration {
    /// Milliseconds in [0, one day].
    var wholeMilliseconds: Int {
        let (seconds, attoseconds) = components
        let bounded = min(max(seconds, 0), 86_400)
        return seconds < 0 ? 0 : Int(bounded) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
