// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import TestSupport
import Testing

@Suite("Remote keys: redirects and lax transports", .timeLimit(.minutes(20)))
struct KeySetTransportTests {
    @Test(
        "Redirects to the same scheme, host and port are followed",
        arguments: [
            (301, "https://keys.example/moved"), (302, "https://KEYS.example/moved"),
            (303, "https://keys.example:443/moved"), (307, "/moved"), (308, "/moved?version=2"),
        ])
    func followed(status: Int, location: String) async throws {
        let body = try PublishedTestKeys.jwks("one")
        let source = try Source(
            FakeTransport {
                $0.url.path == "/moved" ? .body(body) : .redirect(location, status: status)
            })
        #expect(try await source.set.keys().keyIDs == ["one"])
        #expect(source.transport.count == 2)
    }

    @Test(
        "Other redirects are not followed, and nothing is sent there",
        arguments: [
            "https://evil.example/jwks", "http://keys.example/jwks",
            "https://keys.example:8443/jwks",
            "https://keys.example.evil.example/", "https://keys.example@evil.example/",
            "//evil.example/jwks",
            "//keys.example/jwks", "http://127.0.0.1/jwks", "moved", "../jwks", "?again", "",
            "/a b",
            "/a/../b", "\\\\evil.example\\x", "https:/keys.example/", "file:///etc/passwd",
            "https://keys.example/#fragment",
        ])
    func notFollowed(location: String) async throws {
        let source = try Source(FakeTransport(.redirect(location)))
        #expect(
            await code { () throws(KeySourceError) in try await source.set.keys() } == .redirect)
        #expect(source.transport.count == 1)
    }

    @Test("A redirect with no location, or with two, is a failure")
    func locations() async throws {
        let two = FakeTransport.Answer.success(
            TransportResponse(
                status: 302,
                fields: [
                    .init(name: "Location", value: "/a"), .init(name: "location", value: "/b"),
                ], body: []
            ))
        for answer in [FakeTransport.Answer.status(302), two] {
            let source = try Source(FakeTransport(answer))
            #expect(
                await code { () throws(KeySourceError) in try await source.set.keys() } == .redirect
            )
        }
    }

    @Test("Three redirects are followed and no fourth, in circles too", arguments: [3, 4])
    func chain(length: Int) async throws {
        let body = try PublishedTestKeys.jwks("one")
        let source = try Source(
            FakeTransport { request in
                let step = Int(request.url.query ?? "0") ?? 0
                return step == length ? .body(body) : .redirect("/jwks?\(step + 1)")
            })
        let outcome = await code { () throws(KeySourceError) in try await source.set.keys() }
        #expect(outcome == (length == 3 ? nil : .redirect))
        #expect(source.transport.count == 4)
        let circle = try Source(FakeTransport(.redirect("/jwks")))
        #expect(
            await code { () throws(KeySourceError) in try await circle.set.keys() } == .redirect)
        #expect(circle.transport.count == 4)
    }

    @Test("No redirect is followed where none is allowed")
    func noRedirects() async throws {
        let source = try Source(FakeTransport(.redirect("/moved"))) { $0.maximumRedirects = 0 }
        #expect(
            await code { () throws(KeySourceError) in try await source.set.keys() } == .redirect)
        #expect(source.transport.count == 1)
    }

    @Test("A transport that never answers is given up after the time limit")
    func deaf() async throws {
        let never = Gate()
        let source = try Source(
            FakeTransport { _ in
                // It ignores its cancellation as well.
                await never.pass()
                return .status(500)
            })
        let caller = Task {
            await code { () throws(KeySourceError) in try await source.set.keys() }
        }
        while source.clock.sleeperCount == 0 { await Task.yield() }
        source.clock.advance(by: .milliseconds(4_999))
        #expect(source.set.waitingCount == 1)
        source.clock.advance(by: .milliseconds(1))
        #expect(await caller.value == .timedOut)
        // Anything that arrives later is ignored.
        source.transport.set(.body(try PublishedTestKeys.jwks("one")))
        source.clock.advance(by: .seconds(30))
        #expect(try await source.set.keys().keyIDs == ["one"])
        never.open()
        #expect(source.set.keysInHand()?.keyIDs == ["one"])
        #expect(source.count(.refreshFailed) == 1)
    }

    @Test("Redirects share one document's time limit")
    func sharedTime() async throws {
        let clock = Recorder<ManualClock>()
        let source = try Source(
            FakeTransport { _ in
                clock.all.first?.advance(by: .seconds(2))
                return .redirect("/jwks")
            })
        clock.append(source.clock)
        #expect(
            await code { () throws(KeySourceError) in try await source.set.keys() } == .timedOut)
        #expect(
            source.transport.requests.all.map(\.timeout) == [.seconds(5), .seconds(3), .seconds(1)])
    }

    @Test("A fetch leaves no timer behind")
    func noTimers() async throws {
        let source = try Source(FakeTransport(body: PublishedTestKeys.jwks("one")))
        _ = try await source.set.keys()
        while source.clock.sleeperCount > 0 { await Task.yield() }
    }
}
