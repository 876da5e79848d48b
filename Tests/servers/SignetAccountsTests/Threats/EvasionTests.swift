// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetEmail
import SignetSignIn
import TestSupport
import Testing

@Suite("Attempts to evade limits", .serialized)
struct EvasionTests {
    private let limit: RateLimit

    init() throws { limit = try RateLimit(burst: 1, interval: .seconds(60)) }

    /// Which of these clients, one after the other, are admitted.
    private func passing(_ clients: [String], _ limit: RateLimit? = nil) async throws -> [String] {
        let limit = limit ?? self.limit
        let limits = RateLimits(try await SQLiteAccounts.inMemory(), secret: try .test())
        var passing: [String] = []
        for client in clients {
            let address = try #require(ClientAddress(client), "\(client)")
            let error = await accountError { () throws(AccountError) in
                try await limits.take(limit, name: "tries", for: .address(address))
                return true
            }
            if error == nil { passing.append(client) }
        }
        return passing
    }

    @Test("IPv4 clients behind a translator are counted separately")
    func translated() async throws {
        // All of them have the first 64 bits in common.
        #expect(
            try await passing(["64:ff9b::192.0.2.1", "64:ff9b::192.0.2.2", "64:ff9b::198.51.100.1"])
                .count == 3)
        #expect(
            try await passing(["64:ff9b::192.0.2.1", "192.0.2.1", "::ffff:192.0.2.1"]).count == 1)
        // Another prefix of 96 bits is one network.
        #expect(try await passing(["64:ff9c::192.0.2.1", "64:ff9c::192.0.2.2"]).count == 1)
    }

    /// A local prefix may have 48, 56, 64 or 96 bits, and none of an address says which (RFC 6052,
    /// section 2.2): each has the IPv4 address elsewhere.
    @Test(
        "IPv4 clients behind a translator with the local-use prefix are counted separately",
        arguments: [
            ["64:ff9b:1:c000:2:100::", "64:ff9b:1:c000:2:200::", "64:ff9b:1:c633:64:100::"],
            ["64:ff9b:1:c0:0:201::", "64:ff9b:1:c0:0:202::", "64:ff9b:1:c6:33:6401::"],
            ["64:ff9b:1:0:c0:2:100:0", "64:ff9b:1:0:c0:2:200:0", "64:ff9b:1:0:c6:3364:100:0"],
            ["64:ff9b:1::192.0.2.1", "64:ff9b:1::192.0.2.2", "64:ff9b:1::198.51.100.1"],
        ])
    func locallyTranslated(_ clients: [String]) async throws {
        #expect(try await passing(clients + clients).count == clients.count)
        // Beside that prefix, 64 bits are one client.
        #expect(try await passing(["64:ff9b:2::192.0.2.1", "64:ff9b:2::192.0.2.2"]).count == 1)
    }

    @Test("All networks of one 6to4 client count as one")
    func sixToFour() async throws {
        let networks = (0..<16).map { "2002:c000:201:\($0)::1" }
        #expect(try await passing(networks + ["192.0.2.1"]).count == 1)
        #expect(try await passing(["2002:c000:201::1", "2002:c000:202::1"]).count == 2)
    }

    @Test("A network of 56 bits has the limit of 4 clients, and one of 48 bits that of 64")
    func networks() async throws {
        let limit = try RateLimit.perDay(1)
        // One /56: four of its 256 clients.
        let narrow = (0..<256).map { "2001:db8:0:\(String($0, radix: 16))::1" }
        #expect(try await passing(narrow, limit).count == 4)
        // One /48, of each of whose 256 networks only one asks.
        let wide = (0..<256).map { "2001:db8:1:\(String($0, radix: 16))00::1" }
        #expect(try await passing(wide, limit).count == 64)
        // Networks that have nothing in common are not affected by each other.
        let far = (0..<100).map { "2001:db8:\(String(1_000 + $0, radix: 16))::1" }
        #expect(try await passing(far, limit).count == 100)
    }

    @Test("A refusal on account of a network costs no other network anything")
    func refusedNetwork() async throws {
        let limits = RateLimits(try await SQLiteAccounts.inMemory(), secret: try .test())
        let limit = try RateLimit.perDay(1)
        var refused: [String] = []
        for number in 0..<300 {
            let address = ClientAddress("2001:db8:0:\(String(number % 256, radix: 16))::1")
            let error = await accountError { () throws(AccountError) in
                try await limits.take(limit, name: "tries", from: address)
                return true
            }
            if let name = error?.limit { refused.append(name) }
        }
        // The first of the 256 come again at the end.
        #expect(refused.count == 296 && Set(refused) == ["tries/address", "tries/address-56"])
        // 4 of the 64 are used up.
        let others = (1..<256).map { "2001:db8:0:\(String($0, radix: 16))00::1" }
        var passing = 0
        for other in others {
            let error = await accountError { () throws(AccountError) in
                try await limits.take(limit, name: "tries", from: ClientAddress(other))
                return true
            }
            if error == nil { passing += 1 } else { #expect(error?.limit == "tries/address-48") }
        }
        #expect(passing == 60)
    }

    @Test(
        "Nothing that a client sends ahead of its proxy's entry changes its address",
        arguments: [TrustedProxies.Field.xForwardedFor, .forwarded])
    func forged(_ field: TrustedProxies.Field) throws {
        let proxies = try TrustedProxies(["10.0.0.0/8", "2001:db8:ffff::/48"], field: field)
        let real = field == .forwarded ? "for=203.0.113.7;proto=https" : "203.0.113.7"
        let pieces = [
            "10.0.0.9", "1.2.3.4", "for=", "for=10.0.0.1", "\"", "[", "]", ":", ";", ",", ", ", " ",
            "\t", "\\", "unknown", "_x", "::ffff:10.0.0.1", "2001:db8:ffff::1", "proto=https", "é",
            "\0", "%",
        ]
        var generator = SeededGenerator(seed: 7239)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...12, using: &generator)
            let forged = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }
                .joined()
            // Appended to the line, or as a line of its own.
            let lines =
                Bool.random(using: &generator)
                ? [forged + ", " + real] : [forged, real + (count % 2 == 0 ? "" : ", 10.0.0.2")]
            let client = proxies.client(
                peer: "10.0.0.1",
                forwarded: field == .forwarded
                    ? lines.map { $0.replacing(", 10.0.0.2", with: ", for=10.0.0.2") } : lines)
            #expect(client == ClientAddress("203.0.113.7"), "\(lines)")
        }
    }

    @Test("Guesses for thousands of destinations leave nothing in the database")
    func randomDestinations() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let scene = try CodeScene(database)
        let guess = try OneTimeCode("123456")
        for number in 0..<1_000 {
            let phone = try CodeScene.destination("+1415\(1_000_000 + number)")
            #expect(try await scene.verify(guess, phone)?.code == .wrongCode)
        }
        for statement in [
            "SELECT count(*) FROM signet_limits", "SELECT count(*) FROM signet_codes",
            "SELECT count(*) FROM signet_outbox",
        ] as [SQLStatement] {
            #expect(try await database.run(statement).first?.integer(0) == 0)
        }
    }

    @Test("A shared limit bounds the messages of any number of clients and destinations")
    func allMessages() async throws {
        let database = try await SQLiteAccounts.inMemory()
        let limits = RateLimits(database, secret: try .test())
        let all = try RateLimit(burst: 50, interval: .seconds(60))
        let scene = try CodeScene(database)
        var sent = 0
        for number in 0..<200 {
            let phone = try CodeScene.destination("+1415\(1_000_000 + number)")
            let client = ClientAddress("192.0.2.\(number)")
            let error = await accountError { () throws(AccountError) in
                try await scene.codes.send(to: phone, for: .signIn, from: client) {
                    (transaction, _) throws(AccountError) in
                    try await limits.take(
                        all, name: "messages", for: .account("all messages"), in: transaction)
                    return true
                }
            }
            if error == nil { sent += 1 }
        }
        let outbox = try Outbox(database, secret: try .test(), sender: scene.sender)
        try await outbox.deliver()
        #expect(sent == 50 && scene.sender.messages.count == 50)
    }

    @Test("A looser limit of the same name does not loosen a stricter one")
    func looser() async throws {
        let limits = RateLimits(try await SQLiteAccounts.inMemory(), secret: try .test())
        let phone = RateLimits.Subject.destination(try CodeScene.destination())
        let loose = try RateLimit(burst: 5, interval: .seconds(60))
        for _ in 0..<20 { try await limits.take(.wrongCodes, name: "wrong codes", for: phone) }
        for _ in 0..<5 { try await limits.take(loose, name: "wrong codes", for: phone) }
        for limit in [.wrongCodes, loose] {
            let error = await accountError { () throws(AccountError) in
                try await limits.take(limit, name: "wrong codes", for: phone)
                return true
            }
            #expect(error?.code == .tooManyRequests)
        }
    }
}
