// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird
internal import Logging

/// One line for each request: method, route, status, time taken.
///
/// The route is the pattern that matched, never the path that was sent: paths and queries are written by strangers, and people put
/// tokens into them.
struct AccessLogMiddleware: RouterMiddleware {
    typealias Context = AppRequestContext

    private static let methods: Set<HTTPRequest.Method> = [
        .get, .head, .post, .put, .patch, .delete, .options, .connect, .trace,
    ]

    func handle(
        _ request: Request, context: AppRequestContext,
        next: (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        context.logger.info(
            "answered",
            metadata: [
                "method": .string(
                    Self.methods.contains(request.method) ? request.method.rawValue : "other"),
                "route": .string(context.endpointPath ?? "none"),
                "status": .stringConvertible(response.status.code),
                "microseconds": .stringConvertible(
                    (ContinuousClock.now - start) / .microseconds(1)),
            ])
        return response
    }
}
