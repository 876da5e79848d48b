// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// Turns every error into an answer in JSON, so that none of Hummingbird's or of another library's texts reaches a caller.
struct RefusalMiddleware: RouterMiddleware {
    typealias Context = AppRequestContext

    func handle(
        _ request: Request, context: AppRequestContext,
        next: (Request, AppRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPParserError {
            // The body's framing is broken, so that nobody knows where the next request begins: Hummingbird answers 400 and closes.
            context.logger.notice(
                "refused", metadata: ["reason": "http.malformedBody", "status": "400"])
            throw error
        } catch {
            let refusal = Self.refusal(for: error)
            Self.log(refusal, context.logger)
            return JSONAnswer.response(
                ErrorBody(error: refusal.text), status: refusal.status, headers: refusal.headers)
        }
    }

    private struct ErrorBody: Encodable {
        let error: String
    }

    private static func refusal(for error: any Error) -> Refusal {
        switch error {
        case let refusal as Refusal: refusal
        case is NIOTooManyBytesError: .bodyTooLarge
        case let error as any HTTPResponseError:
            Refusal(
                status: error.status,
                text: error.status == .notFound ? "Not found" : "Request not accepted")
        // Its text may hold anything: the type is what can be logged.
        default: .internalError(reason: "unexpected.\(type(of: error))")
        }
    }

    private static func log(_ refusal: Refusal, _ logger: Logger) {
        guard let reason = refusal.reason else { return }
        var metadata: Logger.Metadata = [
            "reason": .string(reason), "status": .stringConvertible(refusal.status.code),
        ]
        for (name, value) in refusal.details { metadata[name] = .string(value) }
        logger.log(
            level: refusal.status.code >= 500 ? .error : .notice, "refused", metadata: metadata)
    }
}
