// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if AsyncHTTPClient
    public import AsyncHTTPClient
    internal import NIOCore
    internal import NIOHTTP1
    public import SignetIdentity

    /// The transport over AsyncHTTPClient, for servers that use SwiftNIO anyway. It needs the
    /// package trait `AsyncHTTPClient`; without that this module is empty.
    ///
    /// It keeps the rules of `IdentityTransport`. It follows no redirect: the 3xx is the response.
    /// It uses no cookies and no cache. It counts the body as it arrives, with back-pressure, after
    /// decoding any content coding (gzip and deflate; compression is not requested). The request's
    /// time limit covers the whole exchange, and cancelling the Swift task ends it. It ignores the
    /// environment's proxies.
    ///
    /// **What it does not survive**: a status below 100 (`000`) with a body meets a fatal error
    /// inside AsyncHTTPClient (seen with 1.37.0), which ends the process. No honest server sends
    /// one.
    ///
    /// One value is one `HTTPClient`, shared by its copies.
    public struct AsyncHTTPClientTransport: IdentityTransport {
        fileprivate static let common = AsyncHTTPClientTransport()
        private let owner: ClientOwner

        /// A transport with its own client: no redirects, certificates fully verified, connections
        /// made once and not retried.
        ///
        /// It is shut down when the last copy of the transport is gone, or by ``shutdown()``.
        public init() { owner = ClientOwner() }

        /// A transport over your client, which you shut down.
        ///
        /// You are responsible for its configuration: keep certificate verification on and
        /// redirects off (`.disallow`). A response that came by a redirect is rejected afterwards
        /// (`invalidResponse`).
        public init(_ client: HTTPClient) { owner = ClientOwner(client) }

        /// Closes the client's connections and waits until they are gone. It does not shut down
        /// your own client.
        public func shutdown() async { await owner.shutdown() }

        /// Sends one request, as `IdentityTransport.exchange(_:)` does. Fields arrive in the order
        /// received.
        ///
        /// - Throws: `TransportFailure`.
        public func exchange(_ request: TransportRequest) async throws(TransportFailure)
            -> TransportResponse
        {
            try request.validate()
            // The address that the client connects to is not visible here.
            guard !request.url.isInPrivateNetwork else {
                throw TransportFailure(
                    .invalidRequest,
                    "Another machine is asked over https, or over http by SignetCurl alone.")
            }
            if Task.isCancelled { throw .gaveUp }
            let client = owner.client
            do {
                return try await withThrowingTaskGroup(of: TransportResponse.self) { group in
                    group.addTask { try await Self.exchange(request, client) }
                    group.addTask {
                        // Not the client's deadline, which ends with the head if the body comes
                        // from a caller's stream.
                        try await Task.sleep(for: request.timeout, clock: .suspending)
                        throw TransportFailure(.timedOut, "No complete answer in time.")
                    }
                    defer { group.cancelAll() }
                    guard let first = try await group.next() else { throw TransportFailure.gaveUp }
                    return first
                }
            } catch {
                if Task.isCancelled { throw .gaveUp }
                throw TransportFailure(of: error)
            }
        }

        private static func exchange(
            _ request: TransportRequest, _ client: HTTPClient
        ) async throws -> TransportResponse {
            // The group ends it; this is for a client that would continue by itself.
            let response = try await client.execute(made(from: request), deadline: .distantFuture)
            guard response.history.count <= 1 else {
                throw TransportFailure(
                    .invalidResponse,
                    "The client follows redirects: give it the redirect configuration .disallow.")
            }
            let limit = max(0, request.maximumBodyByteCount)
            if let declared = response.headers.first(name: "content-length").flatMap({ Int($0) }),
                declared > limit
            {
                throw TransportFailure.longBody
            }
            var body = [UInt8]()
            for try await part in response.body {
                guard part.readableBytes <= limit - body.count else {
                    throw TransportFailure.longBody
                }
                body.append(contentsOf: part.readableBytesView)
            }
            return TransportResponse(
                status: Int(response.status.code),
                fields: response.headers.map {
                    TransportResponse.Field(name: $0.name, value: $0.value)
                },
                body: body)
        }

        private static func made(from request: TransportRequest) -> HTTPClientRequest {
            var made = HTTPClientRequest(url: request.url.text)
            // For a method that the client knows it sends the length of an empty body.
            made.method = HTTPMethod(rawValue: request.method.rawValue)
            made.headers.add(name: "accept-encoding", value: "identity")
            for field in request.sentFields {
                made.headers.add(name: field.name, value: field.value)
            }
            if let body = request.body { made.body = .bytes(body.bytes) }
            return made
        }
    }

    extension IdentityTransport where Self == AsyncHTTPClientTransport {
        /// The transport over AsyncHTTPClient: one client for the whole process, which is never
        /// shut down.
        public static var asyncHTTPClient: AsyncHTTPClientTransport {
            AsyncHTTPClientTransport.common
        }
    }
#endif
