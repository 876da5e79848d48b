// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import HTTPTypes
    public import Hummingbird
    internal import Logging

    /// Gives each request a name, and a line in the log: method, route, status, time taken. Add it
    /// before ``ErrorAnswers``, so that refusals have the name too.
    ///
    /// The route is the pattern that matched, never the path that was sent: paths and queries are
    /// written by strangers, and people put tokens into them. The name is the caller's
    /// `X-Request-Id`, where it can do no harm in a log (8 to 64 letters, digits, `.`, `_` and
    /// `-`), else a random name; the answer has it too. Answers to HEAD lose their content, also
    /// answers of errors: on a connection with several requests it would be read as the next
    /// answer.
    public struct RequestLog<Context: RequestContext>: RouterMiddleware {
        /// The log of requests.
        public init() {}

        /// Passes the request on, and writes the line.
        public func handle(
            _ request: Request, context: Context, next: (Request, Context) async throws -> Response
        ) async throws -> Response {
            let start = ContinuousClock.now
            let name = Self.name(of: request)
            var context = context
            context.logger[metadataKey: "request_id"] = .string(name)
            var response = try await next(request, context)
            response.headers[.requestID] = name
            context.logger.info(
                "answered",
                metadata: [
                    "method": .string(Self.knownMethod(request.method)),
                    "route": .string(context.endpointPath ?? "none"),
                    "status": .stringConvertible(response.status.code),
                    "microseconds": .stringConvertible(
                        (ContinuousClock.now - start) / .microseconds(1)),
                ])
            return request.method == .head ? response.createHeadResponse() : response
        }

        private static func knownMethod(_ method: HTTPRequest.Method) -> String {
            let known: [HTTPRequest.Method] = [
                .get, .head, .post, .put, .patch, .delete, .options, .connect, .trace,
            ]
            return known.contains(method) ? method.rawValue : "other"
        }

        /// Two fields of the name come joined by a comma, which is not allowed.
        private static func name(of request: Request) -> String {
            if let given = request.headers[.requestID], (8...64).contains(given.utf8.count),
                given.utf8.allSatisfy(isAllowed)
            {
                return given
            }
            // 128 random bits in hexadecimal digits.
            return (0..<4).map { _ in
                let digits = String(UInt32.random(in: .min ... .max), radix: 16)
                return String(repeating: "0", count: 8 - digits.utf8.count) + digits
            }.joined()
        }

        private static func isAllowed(_ octet: UInt8) -> Bool {
            switch octet {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
    }

    extension HTTPField.Name {
        /// The name is well-formed, so that `.via` is never taken.
        fileprivate static let requestID = HTTPField.Name("X-Request-Id") ?? .via
    }
#endif
