// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetIdentity
import SignetJOSE
import TestSupport
import Testing

/// What a token that the key in hand does not verify means for the freshness of the keys.
@Suite("Remote keys: a key that was replaced", .timeLimit(.minutes(20)))
struct ReplacedKeyTests {
    /// How a key changes without a new `kid`.
    enum Change: String, CaseIterable, Sendable {
        case sameKid, withoutKid, ambiguous, mended, otherAlgorithm, movedAddress
    }

    static let old = ProviderKey.made(.es256, "sig")
    static let new = ProviderKey.made(.es256, "sig")
    static let wider = ProviderKey.made(.es384, "sig")
    static let other = ProviderKey.made(.es256, "other")
    static let forger = ProviderKey.made(.es256, "sig")

    @Test(
        "A replaced key is followed at once, whatever the lifetime of the set",
        arguments: Change.allCases)
    func followed(_ change: Change) async throws {
        let issuer = try RotatingIssuer(algorithms: [.es256, .es384])
        let isNamed = change != .withoutKid && change != .ambiguous
        let header = isNamed ? nil : Self.new.namelessHeader
        let key = change == .otherAlgorithm ? Self.wider : Self.new
        switch change {
        case .mended:
            let damaged = try Self.new.jwk().replacing("\"use\":\"sig\"", with: "\"use\":\"enc\"")
            issuer.publish(try Self.other.jwk(), damaged)
        case .ambiguous:
            issuer.publish(try Self.old.jwk(named: false), try Self.new.jwk(named: false))
        default: issuer.publish(try Self.old.jwk(named: isNamed))
        }
        _ = try await issuer.verifier.remoteKeys?.refresh()
        issuer.clock.advance(by: .seconds(60))
        if change == .movedAddress {
            issuer.publish(metadata: RotatingIssuer.otherPlace)
            issuer.publish(try key.jwk(), at: RotatingIssuer.otherPlace)
        } else {
            issuer.publish(try key.jwk(named: isNamed))
        }
        let token = try issuer.token(key, header: header)
        #expect(try issuer.isValidAtOnce(token) == nil, "it may be the new key's")
        #expect(await issuer.refusal(token) == nil)
        #expect(try issuer.isValidAtOnce(token) == true)
        #expect(issuer.triggers == [.request, .replacedKey])
    }

    @Test("A certificate that is replaced under its name is followed")
    func certificates() async throws {
        let issuer = try RotatingIssuer(
            .certificates(EndpointURL(RotatingIssuer.place)), algorithms: [.rs256])
        func publish(_ pem: String) {
            issuer.documents.withLock {
                $0[RotatingIssuer.place] = .body(
                    TestCertificates.map(("c-1", pem)), RotatingIssuer.day)
            }
        }
        publish(TestCertificates.first)
        _ = try await issuer.verifier.remoteKeys?.refresh()
        publish(TestCertificates.second)
        // The certificates' private keys are gone.
        let token = try issuer.token(ProviderKey.rsa, header: #"{"alg":"RS256","kid":"c-1"}"#)
        #expect(await issuer.refusal(token)?.code == .badSignature)
        #expect(issuer.verifier.remoteKeys?.keysInHand()?.generation == 2)
        #expect(issuer.triggers == [.request, .replacedKey])
        // One that is skipped, here for its key usage, may be renewed.
        issuer.documents.withLock {
            $0[RotatingIssuer.place] = .body(
                TestCertificates.map(
                    ("c-1", TestCertificates.encryption), ("c-2", TestCertificates.second)))
        }
        _ = try await issuer.verifier.remoteKeys?.refresh()
        issuer.clock.advance(by: .seconds(30))
        publish(TestCertificates.first)
        #expect(await issuer.refusal(token)?.code == .badSignature)
        #expect(issuer.verifier.remoteKeys?.keysInHand()?.keyIDs == ["c-1"])
    }

    @Test(
        "A forged token is 401 after a fetch, 503 while one is held back, or 401 by option",
        arguments: [(false, HTTPRefusal.unavailable, 30), (true, .invalidToken, nil)]
            as [(Bool, HTTPRefusal, Int?)])
    func heldBack(refuses: Bool, expected: HTTPRefusal, seconds: Int?) async throws {
        let issuer = try RotatingIssuer(adjust: { $0.refusesHeldBackKeys = refuses })
        issuer.publish(try Self.old.jwk())
        _ = try await issuer.verifier.remoteKeys?.refresh()
        for window in 1...3 {
            let forged = try issuer.token(Self.forger)
            #expect(await issuer.refusal(forged)?.code == .badSignature)
            for _ in 0..<10 {
                let refusal = try #require(await issuer.refusal(forged))
                #expect(refusal.code == .keyHeldBack && refusal.retryAfterSeconds == seconds)
                #expect(HTTPRefusal(refusal) == expected)
                #expect(HTTPRefusal(refusal).retryAfterSeconds == seconds)
                #expect(issuer.refusalAtOnce(forged) == nil)
            }
            #expect(issuer.triggers.count == 1 + window)
            let held = issuer.events.all.filter { $0.kind == .keyHeldBack }
            #expect(held.count == window && held.allSatisfy { $0.trigger == .replacedKey })
            #expect(try issuer.isValidAtOnce(issuer.token(Self.old)) == true)
            issuer.clock.advance(by: .seconds(30))
        }
        // The key that came meanwhile is found by the next fetch.
        issuer.publish(try Self.new.jwk())
        #expect(await issuer.refusal(try issuer.token(Self.new)) == nil)
    }

    @Test(
        "A token that is older than the set takes no fetch, and is 401 at once",
        arguments: [
            ("61 s before the set", "\(Int(Source.now) - 61)", nil, false),
            ("60 s before it", "\(Int(Source.now) - 60)", nil, true),
            ("a day before it", "\(Int(Source.now) - 86_400)", nil, false),
            ("long ago", "-9007199254740992", nil, false),
            ("later", "\(Int(Source.now) + 1)", nil, true),
            ("in the future", "9007199254740992", nil, true),
            ("in milliseconds", "\(Int(Source.now) * 1_000 - 90_000)", nil, true),
            ("absent", nil, nil, true), ("null", "null", nil, true),
            ("unreadable", "\"x\"", nil, false),
            ("before a cached copy", "\(Int(Source.now) - 161)", "100", false),
            ("after a cached copy", "\(Int(Source.now) - 160)", "100", true),
        ] as [(String, String?, String?, Bool)])
    func age(what: String, issuedAt: String?, cachedFor: String?, asks: Bool) async throws {
        let issuer = try RotatingIssuer()
        var fields = RotatingIssuer.day
        fields["Age"] = cachedFor
        issuer.publish(try Self.old.jwk(), fields: fields)
        _ = try await issuer.verifier.remoteKeys?.refresh()
        issuer.clock.advance(by: .seconds(10))
        let token = try issuer.token(Self.forger, issuedAt: issuedAt)
        #expect(issuer.refusalAtOnce(token)?.code == (asks ? nil : .badSignature))
        #expect(await issuer.refusal(token)?.code == .badSignature)
        #expect(issuer.triggers == [.request] + (asks ? [.replacedKey] : []), "\(what)")
    }

    @Test("A set that came from a place that may be left says nothing about older tokens")
    func leftPlace() async throws {
        let issuer = try RotatingIssuer()
        issuer.publish(try Self.old.jwk())
        _ = try await issuer.verifier.remoteKeys?.refresh()
        issuer.publish(metadata: RotatingIssuer.otherPlace)
        issuer.publish(try Self.new.jwk(), at: RotatingIssuer.otherPlace)
        let token = try issuer.token(Self.new)
        issuer.clock.advance(by: .seconds(100))
        // The old place still answers with the old keys.
        _ = try await issuer.verifier.remoteKeys?.refresh()
        #expect(await issuer.refusal(token) == nil)
        #expect(issuer.triggers == [.request, .request, .replacedKey])
    }

    @Test("What newer keys cannot change takes no fetch")
    func noFetch() async throws {
        let issuer = try RotatingIssuer()
        issuer.publish(try Self.old.jwk())
        _ = try await issuer.verifier.remoteKeys?.refresh()
        let good = try issuer.token(Self.old)
        let cases: [(String, IdentityError.Code)] = [
            ("a.b.c", .malformed),
            (try issuer.token(Self.wider), .algMismatch),
            (try issuer.token(Self.old, header: #"{"alg":"none","kid":"sig"}"#), .unsupportedAlg),
            (try issuer.token(Self.old, header: #"{"alg":"ES256","crit":["x"]}"#), .critUnknown),
            // A good signature over bad claims.
            (try Self.old.token("{}"), .issuer),
            // No key makes claims out of it.
            (try Self.forger.token("no claims"), .badSignature),
            (good + "!", .malformed),
        ]
        for (token, code) in cases {
            #expect(issuer.refusalAtOnce(token)?.code == code)
            #expect(await issuer.refusal(token)?.code == code)
        }
        #expect(issuer.triggers == [.request])
    }

    @Test("While fetching fails, a token that may have a new key is 503")
    func outage() async throws {
        let issuer = try RotatingIssuer()
        issuer.publish(try Self.old.jwk())
        _ = try await issuer.verifier.remoteKeys?.refresh()
        issuer.documents.withLock { $0 = [:] }
        let token = try issuer.token(Self.new)
        for pause in [nil, 1] {
            let refusal = try #require(await issuer.refusal(token))
            #expect(refusal.code == .keySourceUnavailable && refusal.retryAfterSeconds == pause)
            #expect(HTTPRefusal(refusal) == .unavailable)
        }
        #expect(issuer.refusalAtOnce(token) == nil)
        #expect(try issuer.isValidAtOnce(issuer.token(Self.old)) == true)
        issuer.publish(metadata: RotatingIssuer.place)
        issuer.publish(try Self.new.jwk())
        issuer.clock.advance(by: .seconds(30))
        #expect(await issuer.refusal(token) == nil)
    }

    @Test("Forged signatures do not keep a new kid out, nor made-up kids a replaced key")
    func separateBudgets() async throws {
        let issuer = try RotatingIssuer()
        issuer.publish(try Self.old.jwk())
        _ = try await issuer.verifier.remoteKeys?.refresh()
        let forged = try issuer.token(Self.forger)
        for _ in 0..<100 { #expect(await issuer.refusal(forged) != nil) }
        issuer.publish(try Self.old.jwk(), try Self.other.jwk())
        #expect(await issuer.refusal(try issuer.token(Self.other)) == nil)
        #expect(issuer.triggers == [.request, .replacedKey, .unknownKey])

        issuer.clock.advance(by: .seconds(300))
        let madeUp = try issuer.token(Self.forger, header: #"{"alg":"ES256","kid":"made-up"}"#)
        for _ in 0..<100 { #expect(await issuer.refusal(madeUp) != nil) }
        #expect(await issuer.refusal(madeUp)?.code == .keyHeldBack)
        issuer.publish(try Self.new.jwk())
        #expect(await issuer.refusal(try issuer.token(Self.new)) == nil)
        #expect(issuer.triggers.suffix(2) == [.unknownKey, .replacedKey])
    }

    @Test("The first fetch settles a forged token")
    func firstFetch() async throws {
        for header in [nil, #"{"alg":"ES256","kid":"made-up"}"#] {
            let issuer = try RotatingIssuer()
            issuer.publish(try Self.old.jwk())
            let forged = try issuer.token(Self.forger, header: header)
            let code: IdentityError.Code = header == nil ? .badSignature : .unknownKid
            #expect(await issuer.refusal(forged)?.code == code)
            #expect(issuer.triggers == [.noKeys] && issuer.transport.count == 2)
        }
    }

    @Test(
        "A token is not refused by a fetch that began before it came", arguments: [false, true])
    func askedBefore(isNewName: Bool) async throws {
        let (gate, asked) = (Gate(), Recorder<Void>())
        let issuer = try RotatingIssuer(answering: { request in
            guard request.url.text.utf8.elementsEqual(RotatingIssuer.place.utf8) else { return }
            asked.append(())
            if asked.all.count == 2 { await gate.pass() }
        })
        issuer.publish(try Self.old.jwk())
        _ = try await issuer.verifier.remoteKeys?.refresh()
        let key = isNewName ? Self.other : Self.new
        // A stranger's token leads to a fetch. The issuer answers it, and changes its key while
        // the answer is under way.
        let forged = try issuer.token(
            Self.forger, header: isNewName ? #"{"alg":"ES256","kid":"made-up"}"# : nil)
        async let stranger = issuer.refusal(forged)
        await asked.wait(forCount: 2)
        issuer.publish(try key.jwk())
        let token = try issuer.token(key)
        async let person = issuer.refusal(token)
        while issuer.waitingCount < 2 { await Task.yield() }
        gate.open()
        #expect(await stranger?.code == (isNewName ? .unknownKid : .badSignature))
        guard !isNewName else {
            // The burst allows another fetch.
            #expect(await person == nil)
            return
        }
        let refusal = try #require(await person)
        #expect(refusal.code == .keyHeldBack && refusal.retryAfterSeconds == 30)
        issuer.clock.advance(by: .seconds(30))
        #expect(await issuer.refusal(token) == nil)
    }

    @Test("A set that is newer, but was asked for too early, does not settle a token either")
    func changedTwice() async throws {
        let (gate, asked) = (Gate(), Recorder<Void>())
        let issuer = try RotatingIssuer(answering: { request in
            guard request.url.text.utf8.elementsEqual(RotatingIssuer.place.utf8) else { return }
            asked.append(())
            if asked.all.count == 2 { await gate.pass() }
        })
        issuer.publish(try Self.old.jwk())
        _ = try await issuer.verifier.remoteKeys?.refresh()
        issuer.publish(try Self.old.jwk(), try ProviderKey.ec.jwk())
        async let first = issuer.refusal(issuer.token(ProviderKey.ec))
        await asked.wait(forCount: 2)
        issuer.publish(try Self.old.jwk(), try Self.other.jwk())
        async let second = issuer.refusal(issuer.token(Self.other))
        while issuer.waitingCount < 2 { await Task.yield() }
        gate.open()
        #expect(try await first == nil)
        #expect(try await second == nil)
    }

    @Test(
        "After the clock has gone back, tokens may ask, and no pause lasts longer than a cooldown")
    func clockGoesBack() async throws {
        let issuer = try RotatingIssuer()
        issuer.publish(try Self.old.jwk())
        _ = try await issuer.verifier.remoteKeys?.refresh()
        let forged = try issuer.token(Self.forger, secondsAgo: 100)
        #expect(await issuer.refusal(try issuer.token(Self.forger))?.code == .badSignature)
        let now = issuer.clock.now
        issuer.clock.advance(by: .seconds(-900))
        issuer.clock.now = now
        #expect(await issuer.refusal(forged)?.code == .badSignature)
        #expect(issuer.triggers.filter { $0 == .replacedKey }.count == 2)
    }
}
