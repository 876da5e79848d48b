// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import Hummingbird
internal import Logging

/// Gives each request an id: the caller's when it is well-formed, else a new one. It is in the answer and in each log line.
struct RequestIDMiddleware: RouterMiddleware {
    typealias Context = AppRequestContext

    func handle(
        _ request: Request, context: AppRequestContext,
        next: (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        // Two fields of this name are nobody's well-formed id: their values come joined by a comma, which is not allowed.
        if let given = request.headers[.requestID].flatMap(CorrelationID.init(wellFormed:)) {
            context.correlationID = given
        }
        context.logger[metadataKey: "request_id"] = .string(context.correlationID.text)
        var response = try await next(request, context)
        response.headers[.requestID] = context.correlationID.text
        return response
    }
}

extension HTTPField.Name {
    /// The name is well-formed, so that the other one is never taken.
    static let requestID = HTTPField.Name("X-Request-Id") ?? .via
}
