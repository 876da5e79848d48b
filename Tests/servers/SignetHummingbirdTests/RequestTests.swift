// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    import HTTPTypes
    import Hummingbird
    import HummingbirdTesting
    import Logging
    import SignetBase
    import SignetHummingbird
    import SignetIdentity
    import Testing

    @Suite("Hummingbird: bodies, request names and log lines")
    struct RequestTests {
        private struct Body: Codable {
            let name: String
        }

        private enum LimitedDomain: ErrorDomain {
            struct Details: Equatable, Sendable {
                let limit = "sign-ins/address"
            }

            static func reachedLimit(of error: CodedError<Self>) -> String? { error.details.limit }
        }

        private func routes(_ log: MemoryLog) -> some ApplicationProtocol {
            let router = Router(context: GuestContext<VerifiedSession>.self)
            router.addMiddleware {
                RequestLog()
                ErrorAnswers()
            }
            router.post("echo") { request, _ in
                try Response(json: await request.strictJSON(Body.self, maximumByteCount: 1000))
            }
            router.post("numbers") { request, _ in
                try Response(json: await request.strictJSON([String: Int].self))
            }
            router.group("token").add(middleware: ErrorAnswers(body: ErrorBody.oauth))
                .post { request, _ in
                    try Response(json: await request.strictJSON(Body.self))
                }
            router.get("refused") { _, _ -> String in
                throw IdentityError(
                    .keySourceUnavailable, underlying: TransportFailure(.timedOut, "s3cret"), "")
            }
            router.get("limited") { _, _ -> String in
                throw CodedError<LimitedDomain>(.init(rawValue: "full"), details: .init(), "")
            }
            router.get("things/:id") { _, context in context.peer ?? "none" }
            return Application(router: router, logger: Logger(label: "test") { _ in log })
        }

        @Test("A body is strict JSON of its type, or refused")
        func bodies() async throws {
            let rows: [(type: String?, body: String, status: Int)] = [
                ("application/json", #"{"name":"a"}"#, 200),
                ("Application/JSON ; charset=utf-8", #"{"name":"a","more":1}"#, 200),
                ("text/plain", #"{"name":"a"}"#, 415), (nil, #"{"name":"a"}"#, 415),
                ("application/jsonp", #"{"name":"a"}"#, 415),
                ("application/json", "", 400), ("application/json", #"{"name":1}"#, 400),
                ("application/json", #"{"name":"a","name":"b"}"#, 400),
                ("application/json", String(repeating: "[", count: 513), 400),
                ("application/json", #"{"name":"\#(String(repeating: "a", count: 1000))"}"#, 413),
            ]
            try await routes(MemoryLog()).test(.live) { client in
                for row in rows {
                    var fields: HTTPFields = [:]
                    fields[.contentType] = row.type
                    let answer = try await client.answer(.post, "/echo", fields, body: row.body)
                    #expect(answer.status.code == row.status, "\(row)")
                    #expect(answer.headers[.cacheControl] == "no-store")
                }
            }
        }

        @Test("The answer and the log name a member that is absent or wrong, without its value")
        func members() async throws {
            let log = MemoryLog()
            let rows: [(path: String, body: String, answer: String, logged: String)] = [
                ("/echo", "{}", #"{"error":"Bad request","member":"name"}"#, "member=name"),
                (
                    "/echo", #"{"name":{"s3cret":1}}"#,
                    #"{"error":"Bad request","member":"name"}"#, "code=typeMismatch"
                ), ("/echo", #"{"name":"#, #"{"error":"Bad request"}"#, "code=malformed"),
                (
                    "/numbers", #"{"a\"b":"s3cret"}"#,
                    #"{"error":"Bad request","member":"a\"b"}"#, "code=typeMismatch"
                ),
                (
                    "/token", "{}",
                    #"{"error":"invalid_request","#
                        + #""error_description":"The member name is missing."}"#,
                    "code=missingMember"
                ),
                (
                    "/token", #"{"name":7}"#,
                    #"{"error":"invalid_request","#
                        + #""error_description":"The member name is not valid."}"#,
                    "code=typeMismatch"
                ), ("/token", "s3cret", #"{"error":"invalid_request"}"#, "route=/token"),
            ]
            try await routes(log).test(.live) { client in
                for row in rows {
                    let answer = try await client.answer(
                        .post, row.path, [.contentType: "application/json"], body: row.body)
                    #expect(answer.status == .badRequest)
                    #expect(String(buffer: answer.body) == row.answer)
                    let line = log.lines.last { $0.contains("refused") }
                    #expect(line?.contains(row.logged) == true, "\(line ?? "")")
                }
            }
            #expect(!log.lines.contains { $0.contains("s3cret") })
        }

        @Test("A refusal's code names the layers below it, and a status has a name")
        func codes() async throws {
            let log = MemoryLog()
            try await routes(log).test(.live) { client in
                for (method, path, body) in [
                    (HTTPRequest.Method.get, "/refused", nil as String?), (.get, "/nowhere", nil),
                    (.post, "/echo", "{}"), (.get, "/limited", nil),
                ] {
                    _ = try await client.answer(method, path, body: body)
                }
            }
            let lines = log.lines.filter { $0.contains("refused [") }
            #expect(lines.count == 4)
            for (line, code) in zip(
                lines,
                ["keySourceUnavailable.timedOut", "notFound", "unsupportedMediaType", "full"]
            ) {
                #expect(line.contains(#""code=\#(code)""#), "\(line)")
                let namesLimit = line.contains(#""limit=sign-ins/address""#)
                #expect(namesLimit == code.utf8.elementsEqual("full".utf8), "\(line)")
            }
        }

        @Test("A request gets a name, and its log line has no path")
        func names() async throws {
            let log = MemoryLog()
            let name = try #require(HTTPField.Name("X-Request-Id"))
            try await routes(log).test(.live) { client in
                for (given, isKept) in [
                    ("gateway-0001", true), ("short", false), ("a b c d e f g", false),
                    (String(repeating: "a", count: 65), false),
                ] {
                    let answer = try await client.answer(
                        .get, "/things/s3cret?token=s3cret", [name: given])
                    #expect((answer.headers[name] == given) == isKept)
                    #expect(String(buffer: answer.body) == "127.0.0.1")
                }
                let missing = try await client.answer(.get, "/s3cret")
                #expect(missing.status == .notFound && missing.headers[name]?.utf8.count == 32)
                let head = try await client.answer(.head, "/s3cret")
                #expect(head.status == .notFound && head.body.readableBytes == 0)
            }
            #expect(log.lines.contains { $0.contains("route=/things/{id}") })
            #expect(!log.lines.contains { $0.contains("s3cret") })
        }
    }
#endif
