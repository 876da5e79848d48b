// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import CurlBridge
public import SignetIdentity
public import SignetPlatform

/// The transport over the system's libcurl, by way of its own interface. The one to take on Linux:
/// the tests' hostile servers neither end the process nor fill its memory.
///
/// It keeps the rules of `IdentityTransport`. No redirect is followed, the 3xx is the answer,
/// with its body. There are no cookies, no cache, no `.netrc`, no HSTS file. The server's
/// certificate and name are verified against the system's store, from TLS 1.2 on, and no setting
/// turns that off. The body is counted as it arrives, and the exchange ends at the limit; the head
/// has one of 64 KiB, hints and trailers included. No content coding is asked for, and an answer in
/// one (gzip too) is refused. The request's time covers the whole exchange, waiting for a free
/// connection (six a host and port) included; a day is the most. Cancelling the Swift task ends the
/// exchange at once. Both hold regardless of libcurl's state: the connections are shut from
/// outside.
///
/// HTTP/1.1 only, and read strictly: refused as `invalidResponse` are folded fields, fields without
/// name or colon, control characters, lengths that differ or are no number, a status below 200 that
/// is no hint, hints with a length or a coding, transfer codings but `chunked`, `chunked` beside a
/// length or in HTTP/1.0 (RFC 9112, section 6). Over https an answer that says neither its length
/// nor `chunked` is refused as well (204, 205 and 304 have no body): its end would be the
/// connection's, which anybody in between can bring about. Trailers are dropped. No connection is
/// used twice: on one that was kept, libcurl may take what a server sent behind one answer for the
/// next, or send a request again.
///
/// **Proxies**: an https exchange goes through the proxy that the environment names (`https_proxy`,
/// `all_proxy`, `no_proxy`), unless ``CurlOptions`` name one or none, in a tunnel: it sees the
/// host's name and no more. An http exchange, which is for this machine only, goes to no proxy and
/// to no address but a loopback one, whatever `localhost` is said to be; one of
/// `EndpointURL.init(unencryptedInPrivateNetwork:)` to no proxy and to no address but a private
/// one. The environment must not be changed while other threads run, as ever
/// in C.
///
/// **Key logs**: where the environment names a file in `SSLKEYLOGFILE`, libcurl writes the secrets
/// of its TLS connections there. With that file, all traffic can be decrypted. The environment of
/// the process must be trusted, as with `https_proxy`.
///
/// **Resources**: one thread from the first exchange until thirty seconds after the last one.
/// It takes no signals. A look-up of a name that is given up goes on in a thread of libcurl's until
/// the system ends it; with libcurl before 7.87 other exchanges of the same transport wait for
/// that. A server that keeps TLS busy without a pause delays the transport's other exchanges until
/// its own exchange's time is over. `exit` waits until the thread is out of libcurl, for a second
/// at most, and the thread stays out: what is asked from then on is `unreachable` at once. In a
/// child of `fork` a transport that was used before does not work (`unreachable`), and `exit` of a
/// child that uses another one does not wait. It needs libcurl 7.66, built with TLS.
///
/// One value is one such thread, shared by its copies; when the last copy is gone, what is under
/// way is brought to its end and the thread ends.
public struct CurlTransport: IdentityTransport, Redacted {
    fileprivate static let common = CurlTransport()
    private let client: CurlClient

    /// A transport with its own thread.
    public init() { client = CurlClient() }

    /// A transport with its own thread and options.
    ///
    /// - Throws: `IdentityConfigurationError`: `unreadableFile` for authorities that are not
    ///   there or hold no certificate; `contradiction` for a host with two sets of pins;
    ///   `unsupported` for pins where libcurl's TLS cannot hold them.
    public init(options: CurlOptions) throws(IdentityConfigurationError) {
        self.init(CurlClient(try options.settings()))
    }

    /// Over a client with other settings, for tests.
    package init(_ client: CurlClient) { self.client = client }

    /// As `IdentityTransport.exchange(_:)`. Fields arrive in the order received.
    ///
    /// - Throws: `TransportFailure`.
    public func exchange(_ request: TransportRequest) async throws(TransportFailure)
        -> TransportResponse
    {
        try request.validate()
        let outcome = await client.exchange(CurlRequest(request))
        switch outcome {
        case .success(let answer):
            return TransportResponse(
                status: answer.status,
                fields: answer.fields.map {
                    TransportResponse.Field(name: $0.name, value: $0.value)
                },
                body: answer.body)
        case .failure(let failure):
            throw TransportFailure(failure)
        }
    }
}

extension IdentityTransport where Self == CurlTransport {
    /// The transport over libcurl: one for the whole process, with its thread while it is needed.
    public static var curl: CurlTransport { CurlTransport.common }
}

extension CurlRequest {
    fileprivate init(_ request: TransportRequest) {
        self.init(
            url: request.url.text, host: request.url.host, reach: Reach(request.url),
            method: request.method.rawValue,
            body: request.body?.bytes ?? (request.method.announcesEmptyBody ? [] : nil),
            fields: request.sentFields.map { ($0.name, $0.value) },
            maximumBodyByteCount: request.maximumBodyByteCount, timeout: request.timeout)
    }
}

extension CurlRequest.Reach {
    fileprivate init(_ url: EndpointURL) {
        self =
            if url.scheme == "https" { .encrypted } else if url.isInPrivateNetwork {
                .privateNetwork
            } else { .thisMachine }
    }
}
