// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import HTTPTypes
    public import Hummingbird
    internal import NIOCore
    public import SignetAccounts
    public import SignetGoTrue
    internal import SignetHummingbirdAccounts
    public import SignetIdentity

    extension Router where Context: RemoteAddressRequestContext {
        /// Mounts a service with GoTrue's interface: all of its calls below the path, `/health`
        /// among them.
        ///
        /// Pages of any origin may call it. It knows people by the tokens that they send, and a
        /// call with a cookie of another origin gets no answer that the page can read.
        ///
        /// ```swift
        /// try router.addGoTrue(service)
        /// ```
        ///
        /// **Not** limited: connections, and how slowly a request may come: use `.bounded()`, and a
        /// proxy in front.
        ///
        /// - Parameters:
        ///   - service: the service. The name of its issuer is the address of the path.
        ///   - path: where the calls are, without parameters.
        ///   - proxies: those whose word about a client's address counts. If one stands in front
        ///     and is not named, all clients share its limits.
        /// - Throws: `contradiction` if the router has such a route already.
        @discardableResult
        public func addGoTrue(
            _ service: GoTrueService, at path: RouterPath = "auth/v1",
            behind proxies: TrustedProxies = .none
        ) throws(IdentityConfigurationError) -> Self {
            let methods: [HTTPRequest.Method] = [.get, .post, .put, .delete]
            let all: RouterPath = path.appendingPath("**")
            try checkFree((methods + [.options]).map { "\($0.rawValue) \(all)" })
            let mount = GoTrueMount(service: service, path: path.description, proxies: proxies)
            let group = group(path).add(
                middleware: CORSMiddleware<Context>(
                    allowOrigin: .all, allowHeaders: GoTrueMount.fieldNames, allowMethods: methods,
                    maxAge: .hours(2)))
            // A request for options that names no origin is answered by the service, with 405.
            for method in methods + [.options] {
                group.on("**", method: method) { request, context in
                    try await mount.answer(request, from: context.remoteAddress?.ipAddress)
                }
            }
            return self
        }
    }

    /// Hands requests to the service, and its responses back.
    private struct GoTrueMount: Sendable {
        /// The fields that clients of GoTrue send, and the one of ours.
        static let fieldNames: [HTTPField.Name] =
            [.accept, .authorization, .contentType]
            + [
                "apikey", "X-Client-Info", "X-Supabase-Api-Version", "X-JWT-AUD", "X-Signet-Device",
            ].compactMap { HTTPField.Name($0) }

        let service: GoTrueService
        /// Such as `/auth/v1`.
        let path: String
        let proxies: TrustedProxies

        func answer(_ request: Request, from peer: String?) async throws -> Response {
            let field =
                switch proxies.field {
                case .xForwardedFor: "X-Forwarded-For"
                case .forwarded: "Forwarded"
                }
            let forwarded = HTTPField.Name(field).map { request.headers[values: $0] } ?? []
            let response = await service.answer(
                GoTrueRequest(
                    method: request.method.rawValue, path: pathBelow(request.uri.path),
                    query: request.uri.query ?? "",
                    fields: request.headers.map { .init(name: $0.name.rawName, value: $0.value) },
                    body: try await body(of: request),
                    client: proxies.client(peer: peer ?? "", forwarded: forwarded)))
            var fields = HTTPFields()
            // Of a page's request; the middleware names them only before it, where none reads them.
            if request.headers.contains(.origin) {
                fields[.accessControlExposeHeaders] = "X-Supabase-Api-Version, Retry-After"
            }
            for field in response.fields {
                guard let name = HTTPField.Name(field.name) else { continue }
                fields.append(HTTPField(name: name, value: field.value))
            }
            return Response(
                status: HTTPResponse.Status(code: response.status), headers: fields,
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: response.body)))
        }

        /// The path below this one, as received. The router also finds paths in other spellings,
        /// with two slashes for one: they are no path of the service, which answers 404.
        private func pathBelow(_ received: String) -> String {
            guard received.utf8.starts(with: path.utf8) else { return "" }
            return String(decoding: received.utf8.dropFirst(path.utf8.count), as: UTF8.self)
        }

        /// The body, up to a byte more than the service takes: it is the service that refuses.
        private func body(of request: Request) async throws -> [UInt8] {
            var bytes: [UInt8] = []
            for try await buffer in request.body {
                bytes += buffer.readableBytesView
                guard bytes.count <= GoTrueRequest.maximumBodyByteCount else { break }
            }
            return Array(bytes.prefix(GoTrueRequest.maximumBodyByteCount + 1))
        }
    }
#endif
