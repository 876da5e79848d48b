// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import HTTPTypes
    public import Hummingbird
    internal import Logging
    internal import Metrics
    internal import NIOHTTP1

    /// Turns each error of a request into its response, in one place: status, `WWW-Authenticate`
    /// and `Retry-After` by `HTTPRefusal`, and a JSON body that reveals no reason but the name of a
    /// member of the request's own JSON that is absent or wrong.
    ///
    /// The log gets the reason: `code`, an error's code and those of the errors below it
    /// (`invalidToken.expired`); `member` and `claim`, the names of what is absent or wrong;
    /// `limit`, the limit that is reached (`sign-ins/address`); and `route`, the pattern that
    /// matched. Nothing of it is a value of the request. Status and code also go into the counter
    /// `signet_refused_requests`. An error of Hummingbird's has its status's name for a code
    /// (`notFound`, `unsupportedMediaType`).
    ///
    /// Add it first. An error of the router or of Hummingbird keeps its status, but not its text. A
    /// body with broken framing ends its connection after a 400.
    public struct ErrorAnswers<Context: RequestContext>: RouterMiddleware {
        private let body: @Sendable (Refusal) -> String

        /// Answers errors with bodies of your choice.
        ///
        /// - Parameter body: the JSON of a refusal: ``ErrorBody/text(of:)``,
        ///   ``ErrorBody/oauth(of:)`` for a route that exchanges tokens, or what an application
        ///   promises.
        public init(
            body: @escaping @Sendable (_ refusal: Refusal) -> String = ErrorBody.text(of:)
        ) {
            self.body = body
        }

        /// Answers a request's error.
        public func handle(
            _ request: Request, context: Context, next: (Request, Context) async throws -> Response
        ) async throws -> Response {
            do {
                return try await next(request, context)
            } catch let error as HTTPParserError {
                // The framing of the body is broken, so it is unknown where the next request
                // begins: Hummingbird answers 400 and closes.
                throw error
            } catch {
                let refusal = Refusal(error)
                logAndCount(refusal, in: context)
                return refusal.response(body(refusal))
            }
        }

        private func logAndCount(_ refusal: Refusal, in context: Context) {
            Counter(
                label: "signet_refused_requests",
                dimensions: [("status", "\(refusal.status)"), ("code", refusal.code)]
            ).increment()
            var metadata: Logger.Metadata = [
                "status": .stringConvertible(refusal.status), "code": .string(refusal.code),
                "route": .string(context.endpointPath ?? "none"),
            ]
            metadata["member"] = refusal.member.map { .string($0) }
            metadata["claim"] = refusal.claim.map { .string($0) }
            metadata["limit"] = refusal.limit.map { .string($0) }
            context.logger.log(
                level: refusal.status >= 500 ? .error : .info, "request refused",
                metadata: metadata)
        }
    }
#endif
