// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    internal import HTTPTypes
    public import Hummingbird
    internal import NIOCore
    public import SignetSignIn

    extension RouterMethods {
        /// Signs browsers in with a provider: `GET PATH` sends them there, and `PATH/callback`, the
        /// redirect URI of `flow`, takes the response, as a GET or (Apple) as a POST.
        ///
        /// The browser's ticket travels in the cookie of `SignIn`, which is removed at the end. A
        /// sign-in that has expired or is already finished goes to `place`; every other error is
        /// passed on to ``ErrorAnswers``.
        ///
        /// - Parameters:
        ///   - flow: the way to sign in.
        ///   - path: where a sign-in begins; the callback is the redirect URI's path.
        ///   - place: where people go afterwards, on this server: `/`.
        ///   - session: begins the session, and returns the values of `Set-Cookie` that keep it.
        ///     The request's body has already been read.
        public func addSignIn(
            _ flow: SignIn, at path: RouterPath, goingTo place: String = "/",
            session:
                @escaping @Sendable (SignIn.Finished, Request, Context) async throws -> [String]
        ) {
            let end = BrowserSignInEnd(flow: flow, place: place, session: session)
            get(path) { _, _ -> Response in
                let begun = try await flow.begin()
                return .redirect(to: begun.url, cookies: [begun.setCookie])
            }
            let callback = path.appendingPath("callback")
            get(callback) { request, context -> Response in
                try await end.answer(request.uri.query ?? "", to: request, in: context)
            }
            post(callback) { request, context -> Response in
                let body = String(buffer: try await request.body.collect(upTo: 16_384))
                return try await end.answer(body, to: request, in: context)
            }
        }
    }

    private struct BrowserSignInEnd<Context>: Sendable {
        let flow: SignIn
        let place: String
        let session: @Sendable (SignIn.Finished, Request, Context) async throws -> [String]

        /// Finishes the sign-in that the query and the cookies belong to, and begins the session.
        func answer(
            _ query: String, to request: Request, in context: Context
        ) async throws -> Response {
            let cookies = request.headers[values: .cookie].joined(separator: "; ")
            let finished: SignIn.Finished
            do throws(SignInError) {
                finished = try await flow.finish(query: query, cookies: cookies)
            } catch  where error.shouldBeginAgain {
                return .redirect(to: place, cookies: [])
            }
            let kept = try await session(finished, request, context)
            return .redirect(to: place, cookies: [finished.clearedCookie] + kept)
        }
    }

    extension Response {
        fileprivate static func redirect(to url: String, cookies: [String]) -> Response {
            var fields: HTTPFields = [.location: url, .cacheControl: "no-store"]
            for cookie in cookies {
                fields.append(HTTPField(name: .setCookie, value: cookie))
            }
            return Response(status: .seeOther, headers: fields)
        }
    }
#endif
