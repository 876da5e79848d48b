// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// How Signet fetches keys and metadata and exchanges authorization codes: a single HTTP exchange
/// per call.
///
/// `SignetCurl` provides a transport; tests make their own. Your own must keep these rules, on
/// which the limits of a ``RemoteKeySet`` depend: a transport verifies the server's certificate; it
/// returns redirects and follows **none**; it neither sends nor keeps cookies, and caches nothing;
/// it stops reading at the request's limit; it ends within the request's time.
///
/// A transport sends all of the request or nothing. It calls ``TransportRequest/validate()`` first,
/// then sends the method, the bytes of ``TransportRequest/body`` with their length (or, without a
/// body, `Content-Length: 0` if ``TransportRequest/Method/announcesEmptyBody`` is true) and
/// ``TransportRequest/sentFields``, and sends no request twice. A response without a body (204,
/// 304) is a response. For a URL that is ``EndpointURL/isInPrivateNetwork``, it connects only to a
/// private address or this machine's. A transport that cannot tell refuses the request
/// (`invalidRequest`).
public protocol IdentityTransport: Sendable {
    /// Sends one request and returns the response, with any status.
    ///
    /// - Throws: ``TransportFailure`` if there is no complete response within the request's limits.
    func exchange(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse
}
