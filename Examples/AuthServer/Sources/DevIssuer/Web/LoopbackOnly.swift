// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import Hummingbird

/// Refuses what a web page in the developer's browser could send: another name in `Host` (one whose
/// DNS entry points here), and a POST for which the browser does not ask this server first (a form,
/// from any page).
struct LoopbackOnly: RouterMiddleware {
    typealias Context = BasicRequestContext

    private static let forms = ["/token", "/device_authorization", "/revoke"]

    func handle(
        _ request: Request, context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        let host = (request.head.authority ?? "").split(separator: ":", maxSplits: 1).first ?? ""
        guard host == "127.0.0.1" || host == "localhost" else {
            throw ProviderError.invalidRequest("Host is 127.0.0.1 or localhost.")
        }
        // The forms are those of OAuth. This does not check for a path with "/dev/" in front,
        // because the router treats "//dev/" as the same.
        if request.method == .post, !Self.forms.contains(request.uri.path),
            request.headers[.contentType] != "application/json"
        {
            throw ProviderError.invalidRequest("Content-Type is application/json.")
        }
        return try await next(request, context)
    }
}
