// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How Signet fetches keys and metadata, and exchanges authorization codes: one HTTP exchange at a
/// time.
///
/// `SignetCurl` and `SignetAsyncHTTPClient` are such transports; a test gives its own. One of your
/// own keeps these rules, on which the limits of a ``RemoteKeySet`` stand: it verifies the server's
/// certificate; it follows **no** redirect but returns it; it sends and keeps no cookies and caches
/// nothing; it stops reading at the request's limit; it ends within the request's time.
///
/// And it sends all of the request or nothing: it asks ``TransportRequest/validate()`` first, sends
/// the method that is named, the bytes of ``TransportRequest/body`` with their length (without any
/// it says `Content-Length: 0` where ``TransportRequest/Method/announcesEmptyBody`` is true) and
/// ``TransportRequest/sentFields``, and no request twice. An answer without a body (204, 304) is
/// an answer. To an address that is ``EndpointURL/isInPrivateNetwork`` it connects only where what
/// is connected to is a private address or this machine; one that cannot see that refuses it
/// (`invalidRequest`), as `SignetAsyncHTTPClient` does.
public protocol IdentityTransport: Sendable {
    /// Sends one request and returns the answer, with any status.
    ///
    /// - Throws: ``TransportFailure`` when there is no complete answer within the request's limits.
    func exchange(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse
}
