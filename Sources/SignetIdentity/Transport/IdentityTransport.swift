// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How Signet fetches keys and metadata, and exchanges authorization codes: one HTTP exchange at a time.
///
/// `SignetCurl` and `SignetAsyncHTTPClient` are such transports; a test gives its own. One of your
/// own keeps these rules, on which the limits of a ``RemoteKeySet`` stand: it verifies the server's
/// certificate; it follows **no** redirect but returns it; it sends and keeps no cookies and caches
/// nothing; it stops reading at the request's limit; it ends within the request's time.
public protocol IdentityTransport: Sendable {
    /// Sends one request and returns the answer, whatever its status.
    ///
    /// - Throws: ``TransportFailure`` when there is no complete answer within the request's limits.
    func exchange(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse
}
