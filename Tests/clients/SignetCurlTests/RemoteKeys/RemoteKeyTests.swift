// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetCurl
import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

/// The issue's promises about remote keys, over real HTTP, counted and never timed.
@Suite("Remote keys", .needsPython, .timeLimit(.minutes(20)))
struct RemoteKeyTests {
    @Test("A rotation during traffic refuses no good token")
    func rotation() async throws {
        let issuer = try await Issuer()
        let rotations = 5
        let keys = try (0...rotations).map { try Issuer.key("key-\($0)") }
        try await issuer.publish([keys[0]])
        let verifier = try issuer.verifier(.curl)
        _ = try await verifier.verify(try issuer.token(keys[0]))
        let current = Locked(0)
        let isOver = Locked(false)
        let counts = Locked([Int](repeating: 0, count: rotations + 1))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    // A failing caller ends it for all.
                    defer { isOver.withLock { $0 = true } }
                    while !isOver.withLock({ $0 }) {
                        let index = current.withLock { $0 }
                        // Tokens signed before a rotation stay valid while their key is published.
                        let token = try issuer.token(keys[index], subject: "\(worker)")
                        let identity = try await verifier.verify(token)
                        #expect(identity.subject == "\(worker)" && identity.keyID == "key-\(index)")
                        counts.withLock { $0[index] += 1 }
                        await Task.yield()
                    }
                }
            }
            for index in 1...rotations {
                // Published first, then used: the order that every provider keeps.
                try await issuer.publish([keys[index], keys[index - 1]])
                issuer.pass(31)
                current.withLock { $0 = index }
                while counts.withLock({ $0[index] }) < 500, !isOver.withLock({ $0 }) {
                    await Task.yield()
                }
            }
            isOver.withLock { $0 = true }
            try await group.waitForAll()
        }
        let requests = try await issuer.requestCount()
        #expect(requests == rotations + 1)
        let verified = counts.withLock { $0.reduce(0, +) }
        print(
            "remote keys: rotation: \(verified) tokens of 8 tasks over \(rotations) rotations, 0 refused, \(requests) requests"
        )
    }

    @Test("1,000 concurrent verifications with an empty cache make one request")
    func oneRequest() async throws {
        let issuer = try await Issuer()
        let key = try Issuer.key("one")
        try await issuer.publish([key]) { $0.hold = "keys" }
        let verifier = try issuer.verifier(.curl)
        let token = try issuer.token(key)
        let begun = Locked(0)
        let answered = try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<1_000 {
                group.addTask {
                    begun.withLock { $0 += 1 }
                    let identity = try await verifier.verify(token)
                    #expect(identity.keyID == "one")
                }
            }
            // All have begun before the single answer arrives.
            while begun.withLock({ $0 }) < 1_000 { await Task.yield() }
            try await issuer.server.wait(Issuer.keysPath) { $0.count == 1 }
            try await issuer.server.release("keys")
            return try await group.reduce(into: 0) { count, _ in count += 1 }
        }
        let requests = try await issuer.requestCount()
        let metadata = try await issuer.server.facts(Issuer.metadataPath).count
        #expect(answered == 1_000 && requests == 1 && metadata == 1)
        print(
            "remote keys: empty cache: \(answered) verifications, \(requests) request for keys, \(metadata) for metadata"
        )
    }

    @Test(
        "A flood of 10,000 unknown kids makes three requests, then one per cooldown",
        .tags(.hostileServers))
    func flood() async throws {
        let issuer = try await Issuer()
        let key = try Issuer.key("good")
        try await issuer.publish([key])
        let verifier = try issuer.verifier(.curl)
        let good = try issuer.token(key)
        _ = try await verifier.verify(good)
        let parts = good.split(separator: ".").map(String.init)
        var counts: [Int] = []
        for round in 0..<3 {
            if round > 0 { issuer.pass(30) }
            let refused = try await withThrowingTaskGroup(of: Int.self) { group in
                for worker in 0..<10 {
                    group.addTask {
                        var refused = 0
                        for index in 0..<1_000 {
                            let header = Base64URL.encode(
                                Array(
                                    "{\"alg\":\"ES256\",\"kid\":\"\(round)-\(worker)-\(index)\"}"
                                        .utf8))
                            do throws(IdentityError) {
                                _ = try await verifier.verify("\(header).\(parts[1]).\(parts[2])")
                            } catch {
                                let code = error.code
                                #expect(code == .unknownKid || code == .keyHeldBack)
                                refused += 1
                            }
                        }
                        return refused
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(refused == 10_000)
            // A caller with a good token notices nothing.
            #expect(try verifier.verifyWithKeysInHand(good)?.keyID == "good")
            counts.append(try await issuer.requestCount())
        }
        #expect(counts == [4, 5, 6])
        print(
            "remote keys: 3 floods of 10000 unknown kids: requests so far after each \(counts), the first 1 before them"
        )
    }

    @Test("No one waits for a refresh while a usable key is cached")
    func nobodyWaits() async throws {
        let issuer = try await Issuer()
        let (old, new) = (try Issuer.key("old"), try Issuer.key("new"))
        try await issuer.publish([old])
        let verifier = try issuer.verifier(.curl)
        let token = try issuer.token(old)
        _ = try await verifier.verify(token)
        // The refresh begins, and the server lets it wait.
        try await issuer.publish([old, new]) { $0.hold = "refresh" }
        issuer.pass(500)
        let answered = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var answered = 0
                    for _ in 0..<1_000 where try verifier.verifyWithKeysInHand(token) != nil {
                        answered += 1
                    }
                    return answered
                }
            }
            return try await group.reduce(0, +)
        }
        try await issuer.server.wait(Issuer.keysPath) { $0.count == 2 }
        #expect(answered == 8_000)
        // Neither does the other form, and the refresh is still under way: it has not been
        // answered.
        for _ in 0..<1_000 { _ = try await verifier.verify(token) }
        #expect(issuer.count(.refreshed) == 1)
        try await issuer.server.release("refresh")
        while issuer.count(.refreshed) < 2 { await Task.yield() }
        #expect(try verifier.verifyWithKeysInHand(try issuer.token(new))?.keyID == "new")
        #expect(try await issuer.requestCount() == 2)
        print(
            "remote keys: refresh held back by the server: \(answered) of 8000 verifications answered from the keys in hand"
        )
    }

    @Test("Removed keys are refused after the refresh, and not before")
    func removed() async throws {
        let issuer = try await Issuer()
        let (old, new) = (try Issuer.key("old"), try Issuer.key("new"))
        try await issuer.publish([old, new])
        let verifier = try issuer.verifier(.curl)
        let token = try issuer.token(old)
        #expect(try await verifier.verify(token).keyID == "old")
        try await issuer.publish([new])
        #expect(try await verifier.verify(token).keyID == "old")
        issuer.pass(601)
        // The refresh begins, and no caller waits for it.
        #expect(try await verifier.verify(token).keyID == "old")
        while issuer.count(.refreshed) < 2 { await Task.yield() }
        await #expect(throws: IdentityError(.unknownKid, "")) { try await verifier.verify(token) }
        #expect(try await verifier.verify(try issuer.token(new)).keyID == "new")
        let gone = issuer.events.withLock {
            $0.filter { $0.kind == .refreshed }.map(\.removedKeyIDs)
        }
        #expect(gone.contains(["old"]))
    }

    @Test("Moved keys are found although the old address still answers")
    func moved() async throws {
        let issuer = try await Issuer()
        let (old, new) = (try Issuer.key("old"), try Issuer.key("new"))
        try await issuer.publish([old]) { $0.fields = [["Cache-Control", "max-age=86400"]] }
        let verifier = try issuer.verifier(.curl)
        #expect(try await verifier.verify(try issuer.token(old)).keyID == "old")
        try await issuer.server.set("/moved", Behaviour(try Issuer.document([new])))
        try await issuer.server.set(
            Issuer.metadataPath,
            Behaviour(
                "{\"issuer\":\"\(issuer.name)\",\"jwks_uri\":\"\(issuer.server.url("/moved"))\"}"))
        #expect(try await verifier.verify(try issuer.token(new)).keyID == "new")
        await #expect(throws: IdentityError(.unknownKid, "")) {
            try await verifier.verify(try issuer.token(old))
        }
        #expect(try await issuer.requestCount() == 2)
    }

    @Test("One unusable key is skipped and reported")
    func unusable() async throws {
        let issuer = try await Issuer()
        let key = try Issuer.key("good")
        let good = try key.verificationKey.jwk.publicJSON()
        let strange = [
            "{\"kty\":\"EC\",\"crv\":\"P-256\",\"kid\":\"off\",\"x\":\"AA\",\"y\":\"AA\"}",
            "{\"kty\":\"oct\",\"kid\":\"secret\",\"k\":\"c2VjcmV0\"}",
            "{\"kty\":\"NEW\",\"kid\":\"n\"}",
            "17",
        ]
        try await issuer.server.set(
            Issuer.keysPath, Behaviour("{\"keys\":[\((strange + [good]).joined(separator: ","))]}"))
        let verifier = try issuer.verifier(.curl)
        #expect(try await verifier.verify(try issuer.token(key)).keyID == "good")
        let event = try #require(issuer.events.withLock { $0.last { $0.kind == .refreshed } })
        #expect(event.keyCount == 1 && event.skipped.count == 4)
    }
}
