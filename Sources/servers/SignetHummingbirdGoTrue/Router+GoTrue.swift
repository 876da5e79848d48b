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
        /// Mounts the calls of a service with GoTrue's interface below a path, and `/health` too.
        ///
        /// Pages of any origin may call the service: requests carry tokens, and no cookies count.
        ///
        /// ```swift
        /// try router.addGoTrue(service, behind: TrustedProxies(["127.0.0.1", "::1"]))
        /// ```
        ///
        /// **Not** limited: connections, and how slowly a request may come. Use `.bounded()`, and a
        /// proxy in front.
        ///
        /// - Parameters:
        ///   - service: the service. The issuer's name is the address of the path.
        ///   - path: where the calls are, without parameters.
        ///   - proxies: trusted to report a client's address. Clients behind a proxy that is not
        ///     named share the proxy's limits.
        /// - Throws: `contradiction` if the router has a route of the path already.
        @discardableResult
        public func addGoTrue(
            _ service: GoTrueService, at path: RouterPath = "auth/v1",
            behind proxies: TrustedProxies = .none
        ) throws(IdentityConfigurationError) -> Self {
            let methods: [HTTPRequest.Method] = [.get, .post, .put, .delete]
            let all: RouterPath = path.appendingPath("**")
            try checkFree((methods + [.options]).map { "\($0.rawValue) \(all)" })
            let isRoot = path.description.utf8.elementsEqual("/".utf8)
            let mount = GoTrueMount(
                service: service, path: isRoot ? "" : path.description, proxies: proxies)
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
        /// The fields of GoTrue's clients, and `X-Signet-Device`.
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
            // The middleware names the fields in the preflight alone, and no browser reads them
            // there.
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

        /// The path below the mount, as received. The router also finds paths in other spellings,
        /// with two slashes for one: the service has no such path, and answers 404.
        private func pathBelow(_ received: String) -> String {
            guard received.utf8.starts(with: path.utf8) else { return "" }
            return String(decoding: received.utf8.dropFirst(path.utf8.count), as: UTF8.self)
        }

        /// The body, up to a byte more than the service takes, so that the service refuses it.
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
