// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import HTTPTypes
    public import Hummingbird
    internal import Logging
    internal import Metrics
    internal import NIOHTTP1
    internal import SignetJOSE
    internal import SignetPlatform

    /// Turns each error of a request into its response, in one place: status, `WWW-Authenticate`
    /// and `Retry-After` by `HTTPRefusal`, and a JSON body that reveals no reason. The reason goes
    /// to the log, as a code without anything of the request, and into the counter
    /// `signet_refused_requests`, by status and code.
    ///
    /// Add it first. An error of the router or of Hummingbird keeps its status, but not its text. A
    /// body with broken framing ends its connection after a 400.
    public struct ErrorAnswers<Context: RequestContext>: RouterMiddleware {
        private let body: @Sendable (Int) -> String

        /// - Parameter body: the JSON for a status, if an application promises another form than
        ///   `{"error":"…"}`.
        public init(body: @escaping @Sendable (_ status: Int) -> String = ErrorBody.text) {
            self.body = body
        }

        /// Answers a request's error.
        public func handle(
            _ request: Request, context: Context,
            next: (Request, Context) async throws -> Response
        ) async throws -> Response {
            do {
                return try await next(request, context)
            } catch let error as HTTPParserError {
                // The framing of the body is broken, so it is unknown where the next request
                // begins: Hummingbird answers 400 and closes.
                throw error
            } catch {
                let refusal = Refusal(error)
                note(refusal, context)
                return refusal.response(body(refusal.status))
            }
        }

        private func note(_ refusal: Refusal, _ context: Context) {
            Counter(
                label: "signet_refused_requests",
                dimensions: [("status", "\(refusal.status)"), ("code", refusal.code)]
            ).increment()
            context.logger.log(
                level: refusal.status >= 500 ? .error : .info, "request refused",
                metadata: [
                    "status": .stringConvertible(refusal.status), "code": .string(refusal.code),
                ])
        }
    }

    /// The default body of ``ErrorAnswers``.
    public enum ErrorBody {
        /// `{"error":"…"}` with one text for each status.
        @Sendable public static func text(status: Int) -> String {
            let text =
                switch status {
                case 400: "Bad request"
                case 401: "Not authenticated"
                case 403: "Forbidden"
                case 404: "Not found"
                case 413: "Request too large"
                case 429: "Too many requests"
                case 503: "Not available at the moment"
                case 500...: "Internal server error"
                default: "Request not accepted"
                }
            return "{\"error\":\"\(text)\"}"
        }
    }
#endif
