// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetIdentity
import SignetJOSE
import SignetPlatform
import SignetSignIn
import TestSupport
import Testing

@Suite(
    "Another user at the port of a sign-in", .timeLimit(.minutes(20)),
    .enabled(if: Stranger.isPossible, Comment(rawValue: Stranger.absence)))
struct LoopbackStrangerTests {
    private static let ways = ["plain", "mapped", "device", "address", "half"]

    @Test("It is refused however it connects, also with the right state, and ends nothing")
    func refused() async throws {
        let stranger = try Stranger()
        for way in Self.ways {
            let provider = try StubProvider()
            let answers = Locked<[String]>([])
            let called = Locked(false)
            let signIn = try LoopbackBrowser.signIn(provider)
            let done = try await LoopbackBrowser.run(signIn) { address in
                let (port, path) = try LoopbackBrowser.place(address)
                // First of all, and again once the browser has the provider's address.
                let wait = { (target: String) in
                    Task {
                        let answer = try await stranger.call(port, target, way)
                        answers.withLock { $0.append(answer) }
                        called.withLock { $0 = true }
                    }
                    while !called.withLock({ $0 }) { usleep(1_000) }
                    called.withLock { $0 = false }
                }
                wait(path)
                let query = try provider.signIn(LoopbackBrowser.open(address))
                wait(path)
                wait("/callback?" + query)
                wait("/callback?error=access_denied&" + query.suffix(49))
                wait("/")
                #expect(
                    LocalClient.get(port, "/callback?" + query)?.hasPrefix("HTTP/1.1 200 ") == true)
            }
            #expect(done.identity.subject == "user", "\(way)")
            let all = answers.withLock { $0 }
            #expect(
                all.map { $0.prefix(12) } == Array(repeating: "HTTP/1.1 403", count: 4) + [
                    "HTTP/1.1 404"
                ])
            #expect(!all.contains { $0.contains("Location") || $0.contains("state") })
        }
    }

    @Test("It ends nothing by sending and hanging up at once", arguments: ["close", "reset"])
    func hungUp(_ how: String) async throws {
        let stranger = try Stranger()
        let provider = try StubProvider()
        let signIn = try LoopbackBrowser.signIn(provider)
        let done = try await LoopbackBrowser.run(
            signIn,
            preparing: { address in
                let (port, path) = try LoopbackBrowser.place(address)
                // Some before anybody listens,
                for _ in 0..<50 { try await stranger.leave(port, path, how) }
                Task {
                    // and some meanwhile.
                    for _ in 0..<200 { try? await stranger.leave(port, path, how) }
                }
            },
            { address in
                let port = try LoopbackBrowser.place(address).port
                usleep(100_000)
                let query = try provider.signIn(LoopbackBrowser.open(address))
                usleep(100_000)
                #expect(
                    LocalClient.get(port, "/callback?" + query)?.hasPrefix("HTTP/1.1 200 ") == true)
            })
        #expect(done.identity.subject == "user")
    }

    @Test("Its silent connections, thousands a second, turn no browser away")
    func flood() async throws {
        let stranger = try Stranger()
        var floods = 0
        for number in 0..<12 {
            let provider = try StubProvider()
            // From none to 0.2 s between connecting and asking.
            let pause = UInt32(number) * 18_000
            let done = try await LoopbackBrowser.run(
                LoopbackBrowser.signIn(provider),
                preparing: { try await stranger.flood(LoopbackBrowser.place($0).port) },
                { address in
                    usleep(50_000)
                    let (port, path) = try LoopbackBrowser.place(address)
                    func get(_ target: String) throws -> String {
                        let client = try #require(LocalClient(port: port))
                        usleep(pause)
                        client.send("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
                        return client.answer()
                    }
                    let query = try provider.signIn(LoopbackBrowser.location(get(path)))
                    #expect(try get("/callback?" + query).hasPrefix("HTTP/1.1 200 "))
                })
            #expect(done.identity.subject == "user", "at the first try: \(number)")
            floods += try await stranger.calm()
        }
        print("signet loopback: 12 sign-ins beside \(floods) silent connections")
        #expect(floods > 12 * 100)
    }

    @Test("Both of the kernel's tables tell whose a connection is")
    func tables() async throws {
        let stranger = try Stranger()
        let listener = try LoopbackListener()
        for way in Self.ways where way != "half" {
            let port = try await stranger.hold(listener.port, way)
            let ends = SocketEnds(
                callerAddress: UInt32(way == "address" ? 0x7f00_0002 : 0x7f00_0001).bigEndian,
                callerPort: UInt16(port), address: UInt32(0x7f00_0001).bigEndian,
                port: UInt16(listener.port))
            #expect(SocketDiagnosis().user(of: ends) == Stranger.user, "\(way)")
            let table = SocketTable(port: ends.port)
            #expect(table.user(of: ends) == Stranger.user, "\(way)")
            let others = SocketEnds(
                callerAddress: ends.callerAddress, callerPort: 1, address: ends.address,
                port: ends.port)
            #expect(SocketDiagnosis().user(of: others) == nil && table.user(of: others) == nil)
            // A listener is not the other end of a connection.
            let listening = SocketEnds(
                callerAddress: ends.address, callerPort: ends.port, address: ends.callerAddress,
                port: 1)
            #expect(SocketDiagnosis().user(of: listening) == nil)
        }
        #expect(LoopbackCaller(user: Stranger.user) == .other(Stranger.user))
        #expect(LoopbackCaller(user: 0) == .own && LoopbackCaller(user: geteuid()) == .own)
    }

    @Test("Where nobody else called, the sign-in that ends in time says who was refused")
    func expired() async throws {
        let stranger = try Stranger()
        let clock = ManualClock()
        let signIn = try LoopbackBrowser.signIn(StubProvider(), clock: clock.source)
        let address = Locked<String?>(nil)
        let waiting = Task {
            try await signIn.run { shown in address.withLock { $0 = shown } }
        }
        while clock.sleeperCount == 0 { await Task.yield() }
        let (port, path) = try LoopbackBrowser.place(#require(address.withLock { $0 }))
        #expect(try await stranger.call(port, path).contains("Another user of this machine"))
        clock.advance(by: .seconds(300))
        let error = await #expect(throws: SignInError.self) { try await waiting.value }
        guard case .authorization(let cause)? = error?.cause else { return #expect(Bool(false)) }
        #expect(cause.code == .expired && cause.message.contains("number 65534"))
    }
}
