// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import CurlBridge
public import SignetBase
public import SignetIdentity

/// A transport over the system's libcurl, recommended on Linux: the tests' hostile servers neither
/// end the process nor fill its memory.
///
/// The transport keeps the rules of `IdentityTransport`. It follows no redirect: the 3xx is the
/// response, with its body. It uses no cookies, cache, `.netrc` or HSTS file. It verifies the
/// server's certificate and name against the system's store, requires TLS 1.2, and has no setting
/// to turn these checks off. It counts the body as it arrives, and ends the exchange at the limit;
/// the head is limited to 64 KiB, including hints and trailers. It requests no content coding, and
/// rejects a coded response (even gzip). The request's time limit, at most a day, covers the whole
/// exchange, including the wait for a free connection (six per host and port). Cancelling the Swift
/// task ends the exchange at once. Time limit and cancellation work whatever libcurl is doing,
/// because the connections are shut from outside.
///
/// Only HTTP/1.1 is read, strictly. Rejected with `invalidResponse` are folded fields, fields
/// without name or colon, control characters, lengths that differ or are not numbers, a status
/// below 200 that is not a hint, hints with a length or a coding, transfer codings except
/// `chunked`, and `chunked` beside a length or in HTTP/1.0 (RFC 9112, section 6). Over https, a
/// response with neither a length nor `chunked` is rejected too (204, 205 and 304 have no body):
/// its end would be the connection's end, which anyone in between can cause. Trailers are dropped.
/// No connection is reused: on a kept connection, libcurl may take bytes after a response for the
/// next response, or send a request again.
///
/// **Proxies**: an https exchange goes through the proxy that the environment names (`https_proxy`,
/// `all_proxy`, `no_proxy`), unless ``CurlOptions`` choose a proxy or none. The exchange goes
/// through a tunnel: the proxy sees only the host's name and port. An http exchange never uses a
/// proxy. It connects only to a loopback address, whatever `localhost` resolves to, or for
/// `EndpointURL.init(unencryptedInPrivateNetwork:)` only to a private address. As always in C, the
/// environment must not change while other threads run.
///
/// **Key logs**: if the environment names a file in `SSLKEYLOGFILE`, libcurl writes the secrets of
/// its TLS connections there. With that file, all traffic can be decrypted. The environment of the
/// process must be trusted, as with `https_proxy`.
///
/// **Resources**: one thread, from the first exchange until 30 s after the last exchange. The
/// thread takes no signals. An abandoned name look-up continues in a thread of libcurl until the
/// system ends it; before libcurl 7.87 all exchanges of the same transport wait for it. A server
/// that keeps TLS busy delays all exchanges of the transport until the time of its own exchange is
/// over. `exit` waits at most a second until the thread has left libcurl; after that, requests fail
/// at once with `unreachable`. In a child of `fork` a transport that was used before does not work
/// (`unreachable`), and `exit` of a child that uses another transport does not wait.
/// `CurlTransport` needs libcurl 7.66, built with TLS.
///
/// Copies of a transport share its thread. When the last copy is gone, running exchanges are
/// finished and the thread ends.
public struct CurlTransport: IdentityTransport, Redacted {
    fileprivate static let common = CurlTransport()
    private let client: CurlClient

    /// A transport with its own thread.
    public init() { client = CurlClient() }

    /// A transport with its own thread and options.
    ///
    /// - Throws: `IdentityConfigurationError`: `unreadableFile` for a file of authorities that is
    ///   missing or has no certificate; `contradiction` for a host with two sets of pins;
    ///   `unsupported` for pins if libcurl's TLS cannot check them.
    public init(options: CurlOptions) throws(IdentityConfigurationError) {
        self.init(CurlClient(try options.settings()))
    }

    /// Uses a client with other settings, for tests.
    package init(_ client: CurlClient) { self.client = client }

    /// Sends one request, as `IdentityTransport.exchange(_:)` does. Fields arrive in the order
    /// received.
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
    /// The transport over libcurl that the whole process shares.
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
