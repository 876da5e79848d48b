// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetIdentity

/// The transport over Foundation's `URLSession`: what a server has without a further dependency. Where libcurl's headers can be installed, take
/// `SignetCurl`, which hostile servers do not end.
///
/// It keeps the rules of ``IdentityTransport``. No redirect is followed, the 3xx is the answer (its body is dropped: `URLSession` hands
/// it over only after a race that can end the process). No cookie is sent or kept, nothing is cached or written to disk, no credential is looked up.
/// The server's certificate is verified against the system's store, and no setting turns that off. The body is counted as it
/// arrives, after any content coding is undone, and the exchange ends at the limit; compression is not asked for. The request's time
/// covers the whole exchange, waiting for a free connection (six a host) included. Cancelling the Swift task ends the exchange at once.
///
/// **Proxies**: libcurl, on which `URLSession` stands here, reads `https_proxy`, `HTTPS_PROXY`, `all_proxy`, `ALL_PROXY` and
/// `no_proxy` from the environment, and so an https exchange goes through the proxy that is named there: it sees the host's name and no
/// more. An http exchange, which is for this machine only, must not leave it: where `http_proxy` or one for all would send it away and
/// `no_proxy` does not name the host, it is refused before anything is sent.
///
/// **What it does not survive**: an answer in chunks with trailers, and a `Content-Length` of nearly 2^63, meet a fatal error inside of
/// FoundationNetworking (seen with Swift 6.3.1), which ends the process; a redirect's body is kept by it until the exchange ends, whatever its
/// length. An issuer in the hands of an attacker can so stop a server, and learns nothing by it. Over `SignetCurl` no such answer is known.
///
/// One value is one `URLSession`, shared by its copies and by any number of exchanges; when the last copy is gone, so is the session.
public struct URLSessionTransport: IdentityTransport {
    fileprivate static let common = URLSessionTransport()
    private let client: SessionClient

    /// A transport with connections of its own.
    public init() { client = SessionClient() }

    /// As ``IdentityTransport/exchange(_:)``. Fields arrive in no order; of several with one name `URLSession` keeps the last.
    ///
    /// - Throws: ``TransportFailure``.
    public func exchange(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        try await client.exchange(request)
    }
}

extension IdentityTransport where Self == URLSessionTransport {
    /// The transport over Foundation's `URLSession`: one session for the whole process, with its connections.
    public static var urlSession: URLSessionTransport { URLSessionTransport.common }
}
