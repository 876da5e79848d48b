// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetBase
import SignetCurl
import SignetIdentity
import SignetSessionTesting
import TestSupport
import Testing

@Suite("BearerClient", .timeLimit(.minutes(20)))
struct BearerClientTests {
    @Test("The token goes with each method, along with fields and body")
    func sends() async throws {
        let fixture = try await BearerFixture()
        try await fixture.set("/thing", body: "[1]", accepting: [1])
        for method in [TransportRequest.Method.get, .post, .put, .patch, .delete] {
            let request = TransportRequest(
                url: try EndpointURL(fixture.api.url("/thing?a=b")), method: method,
                body: method == .get
                    ? nil
                    : TransportRequest.Body(Array("{}".utf8), contentType: "application/json"),
                fields: [try .init(name: "apikey", value: "public")], timeout: .seconds(3_600))
            let response = try await fixture.client.send(request)
            #expect(response.status == 200 && response.body == Array("[1]".utf8))
            let last = try #require(try await fixture.api.facts("/thing").last)
            #expect(last.method.utf8.elementsEqual(method.rawValue.utf8))
            #expect(last.values(of: "authorization") == ["Bearer access-user-1-1"])
            #expect(last.values(of: "apikey") == ["public"])
            #expect(last.body == (method == .get ? "" : "{}"))
        }
        #expect(fixture.managers.server.exchangeCount == 0)
    }

    @Test("200 to 299 succeed, and any other status is an error with the answer (S1-21)")
    func statuses() async throws {
        let fixture = try await BearerFixture()
        for status in [200, 201, 204, 206, 299] {
            try await fixture.set("/thing", status: status, body: "", accepting: [1])
            #expect(try await fixture.client.send(fixture.request("/thing")).status == status)
        }
        for status in [300, 302, 304, 400, 404, 409, 422, 429, 500, 503] {
            try await fixture.set("/thing", status: status, body: "secret", accepting: [1])
            let error = try #require(await fixture.failure(fixture.request("/thing")))
            #expect(error.code == .status && error.status == status)
            #expect(error.message == "HTTP error: \(status)")
            #expect(error.userMessage == "Something went wrong. Please try again.")
            #expect(error.deletionMessage == "Could not delete account. Please try again.")
            #expect(error.exposedBody == (status == 304 ? [] : Array("secret".utf8)))
            var dumped = ""
            dump(error, to: &dumped)
            #expect(!dumped.contains("secret") && !"\(error) \(error.message)".contains("secret"))
        }
        #expect(fixture.managers.server.exchangeCount == 0 && fixture.manager.state.isSignedIn)
    }

    @Test("A redirect is returned, and the token goes nowhere else")
    func redirect() async throws {
        let fixture = try await BearerFixture()
        let other = try await KeyServer()
        try await fixture.api.set(
            "/thing",
            Behaviour("") {
                $0.status = 307
                $0.fields = [["Location", other.url("/thing")]]
            })
        let error = try #require(await fixture.failure(fixture.request("/thing")))
        #expect(error.code == .status && error.status == 307)
        #expect(try await other.facts("/thing").count == 0)
    }

    @Test("Another origin is refused before anything is sent")
    func origins() async throws {
        let fixture = try await BearerFixture()
        let other = try await KeyServer()
        for text in [
            other.url("/thing"), "http://localhost:\(fixture.api.port)/thing",
            "https://127.0.0.1:\(fixture.api.port)/thing", "http://127.0.0.1/thing",
            "http://[::1]:\(fixture.api.port)/thing", "https://api.example/",
        ] {
            let request = TransportRequest(url: try EndpointURL(text), timeout: .seconds(60))
            #expect(await fixture.failure(request)?.code == .otherOrigin, "\(text)")
        }
        #expect(try await other.facts("/thing").count == 0)
        #expect(try await fixture.api.facts("/thing").count == 0)
        #expect(throws: APIError(.invalidOption, "")) {
            try BearerClient(manager: fixture.manager, transport: .curl, origins: [])
        }
    }

    @Test("An invalid request is not sent")
    func invalid() async throws {
        let fixture = try await BearerFixture(maximumSentByteCount: 3)
        let url = try EndpointURL(fixture.api.url("/thing"))
        let own = TransportRequest(url: url, authorization: "Bearer own")
        #expect(await fixture.failure(own)?.code == .invalidRequest)
        let get = TransportRequest(url: url, body: TransportRequest.Body([1], contentType: "a/b"))
        #expect(await fixture.failure(get)?.code == .invalidRequest)
        let long = try fixture.request("/thing", method: .post, body: [1, 2, 3, 4])
        #expect(await fixture.failure(long)?.code == .requestTooLarge)
        #expect(try await fixture.api.facts("/thing").count == 0)
        try await fixture.set("/thing", accepting: [1])
        #expect(
            await fixture.failure(try fixture.request("/thing", method: .post, body: [1, 2, 3]))
                == nil)
    }

    @Test("Without a session nothing is sent (S1-12)")
    func notSignedIn() async throws {
        let fixture = try await BearerFixture()
        _ = await fixture.manager.signOut()
        let error = try #require(await fixture.failure(fixture.request("/thing")))
        #expect(error.code == .notSignedIn && error.sessionError?.code == .signedOut)
        #expect(error.message == "Not authenticated. Please sign in.")
        #expect(error.userMessage == "Please sign in to continue.")
        #expect(error.deletionMessage == "Please sign in to continue.")
        #expect(try await fixture.api.facts("/thing").count == 0)
    }

    @Test("No connection and a timeout keep the session (S1-15)")
    func offline() async throws {
        let fixture = try await BearerFixture()
        try await fixture.api.set("/held", Behaviour("x") { $0.hold = "never" })
        let held = TransportRequest(
            url: try EndpointURL(fixture.api.url("/held")), timeout: .milliseconds(300))
        #expect(await fixture.failure(held)?.code == .timedOut)
        fixture.api.stop()
        let error = try #require(await fixture.failure(fixture.request("/thing")))
        #expect(error.code == .offline && error.transportFailure?.code == .unreachable)
        #expect(error.message == "No internet connection. Please try again.")
        #expect(error.userMessage == "You're offline. Some features may be unavailable.")
        #expect(fixture.manager.state.isSignedIn && fixture.managers.server.exchangeCount == 0)
    }

    @Test("403 changes nothing (S1-14)")
    func forbidden() async throws {
        let fixture = try await BearerFixture()
        try await fixture.set("/thing", status: 403, body: "why", accepting: [1])
        let error = try #require(await fixture.failure(fixture.request("/thing")))
        #expect(error.code == .forbidden && error.exposedBody == Array("why".utf8))
        #expect(error.userMessage == "You don't have permission to do that.")
        #expect(fixture.managers.server.exchangeCount == 0 && fixture.manager.state.isSignedIn)
        #expect(try await fixture.api.facts("/thing").count == 1)
    }

    @Test("Answers are bounded")
    func bounded() async throws {
        let fixture = try await BearerFixture()
        try await fixture.set("/thing", body: "0123456789", accepting: [1])
        #expect(
            await fixture.failure(try fixture.request("/thing", maximumBodyByteCount: 10)) == nil)
        let error = await fixture.failure(try fixture.request("/thing", maximumBodyByteCount: 9))
        #expect(error?.code == .answerTooLarge)
        // A transport that forgets the limit.
        let fake = FakeTransport(body: "0123456789")
        let client = try BearerClient(
            manager: fixture.manager, transport: fake, origins: [EndpointURL(fixture.api.url("/"))])
        await #expect(throws: APIError.self) {
            try await client.send(fixture.request("/thing", maximumBodyByteCount: 9))
        }
    }

    @Test("A cancelled request ends, and the server sees it")
    func cancelled() async throws {
        let fixture = try await BearerFixture()
        try await fixture.api.set("/held", Behaviour("x") { $0.hold = "never" })
        let request = try fixture.request("/held")
        let task = Task { await fixture.failure(request)?.code }
        try await fixture.api.wait("/held") { $0.count == 1 }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(fixture.manager.state.isSignedIn)
        // Before it is sent: it is not.
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            return await fixture.failure(try fixture.request("/late", method: .post))?.code
        }
        late.cancel()
        #expect(try await late.value == .cancelled)
        #expect(try await fixture.api.facts("/late").count == 0)
    }

    private struct Thing: Decodable, Sendable, Equatable {
        let id: Int
        let createdAt: Timestamp
        let seenAt: Timestamp

        enum CodingKeys: String, CodingKey {
            case id
            case createdAt = "created_at"
            case seenAt = "seen_at"
        }
    }

    private struct Dated: Decodable, Sendable { let at: Date }

    @Test("JSON is read strictly, with dates in both forms (S1-26)")
    func decoding() async throws {
        let fixture = try await BearerFixture()
        try await fixture.set(
            "/thing",
            body:
                #"{"id":7,"created_at":"2026-01-02T03:04:05Z","seen_at":"2026-01-02T03:04:05.25+00:00","x":1}"#,
            accepting: [1])
        let thing = try await fixture.client.decode(Thing.self, from: fixture.request("/thing"))
        #expect(thing.id == 7 && thing.createdAt.date.secondsSince1970 == 1_767_323_045)
        #expect(thing.seenAt.date.secondsSince1970 == 1_767_323_045.25)
        for (status, body) in [
            (200, #"{"id":7,"id":8,"created_at":"2026-01-02T03:04:05Z","seen_at":"x"}"#),
            (200, #"{"id":"7","created_at":"2026-01-02T03:04:05Z"}"#), (200, "secret"), (200, "[]"),
            (200, String(repeating: "[", count: 5_000)), (204, ""),
            (200, #"{"id":7,"created_at":"yesterday","seen_at":"2026-01-02T03:04:05Z"}"#),
        ] {
            try await fixture.set("/thing", status: status, body: body, accepting: [1])
            do throws(APIError) {
                _ = try await fixture.client.decode(Thing.self, from: try Self.made(fixture))
                Issue.record("read")
            } catch {
                #expect(error.code == .invalidAnswer && error.status == status)
                #expect(!"\(error)".contains("secret"))
            }
        }
        try await fixture.set("/thing", body: #"{"at":1767323045}"#, accepting: [1])
        await #expect(throws: APIError.self) {
            try await fixture.client.decode(Dated.self, from: fixture.request("/thing"))
        }
    }

    private static func made(_ fixture: BearerFixture) throws(APIError) -> TransportRequest {
        do { return try fixture.request("/thing") } catch { throw APIError(.invalidRequest, "") }
    }

    @Test("Nothing printed shows a token")
    func printed() async throws {
        let fixture = try await BearerFixture()
        try await fixture.set("/thing", status: 500, body: "access-user-1-1", accepting: [1])
        let error = try #require(await fixture.failure(fixture.request("/thing")))
        var dumped = ""
        dump([fixture.client, error, error.details] as [Any], to: &dumped)
        for text in [dumped, "\(fixture.client)", "\(error)", String(reflecting: error)] {
            #expect(!text.contains("access-user"))
        }
    }
}
