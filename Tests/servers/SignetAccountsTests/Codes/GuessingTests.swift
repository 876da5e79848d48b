// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetSignIn
import TestSupport
import Testing

/// Simulations with the policy, the statements and the limits of a server, over days of an injected
/// clock.
@Suite("Strangers who ask for codes and guess all day", .serialized, .timeLimit(.minutes(20)))
struct GuessingTests {
    /// How a guesser with any number of addresses proceeds.
    enum Plan: String, CaseIterable {
        /// Asks whenever that is allowed, and guesses at once.
        case atOnce
        /// Collects codes and guesses at all of them just before they end, so that their first
        /// tries come together.
        case collected
        /// As `collected`, from an address at which the owner signed in, too.
        case fromTheOwnersAddress
    }

    @Test("Wrong codes far past a small limit are not forgotten")
    func smallLimit() async throws {
        let scene = try await GuesserScene(
            CodePolicy(
                sentToDestination: .perHour(100),
                wrongCodes: RateLimit(burst: 1, interval: .seconds(86_400))))
        // Three codes, whose first tries are all past the limit but one.
        var own: [GuesserScene.Issued] = []
        for _ in 0..<3 {
            let address = try #require(scene.newAddress())
            own.append(try #require(try await scene.ask(address)))
        }
        for issued in own { try await scene.guess(at: issued, showsChallenge: true) }
        #expect(scene.comparedCount == 3)
        try await scene.pass(.seconds(301))
        // As many codes as wrong ones now: one a day, with one try.
        let first = try #require(scene.newAddress())
        let second = try #require(scene.newAddress())
        let issued = try #require(try await scene.ask(first))
        let refused = try await scene.ask(second)
        #expect(refused == nil)
        try await scene.guess(at: issued, showsChallenge: true)
        #expect(scene.comparedCount == 4)
    }

    @Test("Guesses that are compared stay below 2 % a year", arguments: Plan.allCases)
    func bound(_ plan: Plan) async throws {
        let scene = try await GuesserScene()
        let owners = try #require(ClientAddress("192.0.2.1"))
        if plan == .fromTheOwnersAddress { _ = try await scene.signIn("ann", from: owners) }
        let purposes: [CodePurpose] = [.signIn, .recovery]
        let (days, stepsADay) = (6, 240)
        var countByDay: [Int] = []
        var own: [GuesserScene.Issued] = []
        for _ in 0..<days {
            let before = scene.comparedCount
            // Steps of six minutes: a code lives for five.
            for _ in 0..<stepsADay {
                for purpose in purposes {
                    if plan == .fromTheOwnersAddress,
                        let issued = try await scene.ask(owners, for: purpose)
                    {
                        own.append(issued)
                    }
                    for _ in 0..<3 {
                        guard let address = scene.newAddress(),
                            let issued = try await scene.ask(address, for: purpose)
                        else { break }
                        own.append(issued)
                    }
                }
                if plan != .atOnce { try await scene.pass(.seconds(299)) }
                for (index, issued) in own.enumerated() {
                    try await scene.guess(at: issued, showsChallenge: index.isMultiple(of: 2))
                }
                for purpose in purposes { try await scene.guessAtAnything(purpose) }
                own = []
                try await scene.pass(.seconds(plan == .atOnce ? 360 : 61))
            }
            countByDay.append(scene.comparedCount - before)
        }
        // The first days have the bursts; the year goes on like the last four.
        let aDay = Double(countByDay.suffix(4).reduce(0, +)) / 4
        let aYear = Double(scene.comparedCount) + aDay * Double(365 - days)
        print(
            "guesses compared, \(plan.rawValue): \(countByDay) in \(days) days,",
            "\(Int(aYear)) in a year: \(aYear / 10_000) %")
        #expect(aDay >= 20, "the guesser of this test is none")
        #expect(aYear / 1_000_000 <= 0.02)
    }

    @Test("Someone at the owner's address does not keep the owner's device from a code")
    func deviceLockOut() async throws {
        let scene = try await GuesserScene()
        let office = try #require(ClientAddress("192.0.2.1"))
        let device = try await scene.signIn("ann", from: office)
        for minute in 0..<1_440 {
            // As often as the address may, and more often.
            if let issued = try await scene.ask(office) {
                try await scene.guess(at: issued, showsChallenge: minute.isMultiple(of: 2))
            }
            // The owner there, once an hour.
            if minute % 60 == 59 {
                let own = try #require(
                    try await scene.ask(office, device: device), "minute \(minute)")
                _ = await scene.error(
                    of: try CodeScene.wrong(own.code), showing: nil, from: office)
                let answer = await scene.error(of: own.code, showing: own.challenge, from: office)
                #expect(answer == nil)
            }
            try await scene.pass(.seconds(60))
        }
    }

    @Test(
        "A known client gets a code and signs in at each try, an unknown one soon",
        arguments: [1, 100])
    func lockOut(_ strangers: Int) async throws {
        let scene = try await GuesserScene()
        let home = try #require(ClientAddress("192.0.2.1"))
        let device = try await scene.signIn("ann", from: home)
        let addresses = (0..<strangers).compactMap { _ in scene.newAddress() }
        var longestWait = 0
        var waitingSince: Int?
        var visits = 0
        for minute in 0..<(3 * 1_440) {
            // First the strangers, in turns, with and without challenges.
            if minute.isMultiple(of: 3) {
                let address = addresses[minute / 3 % addresses.count]
                if let issued = try await scene.ask(address) {
                    try await scene.guess(at: issued, showsChallenge: minute.isMultiple(of: 2))
                }
                _ = await scene.error(
                    of: try OneTimeCode("000000"), showing: nil, from: address)
            }
            // The owner at home every half hour, by turns with the secret elsewhere.
            if minute % 30 == 29 {
                let elsewhere = try #require(scene.newAddress())
                let isAtHome = minute % 60 == 29
                let issued = try await scene.ask(
                    isAtHome ? home : elsewhere, device: isAtHome ? nil : device)
                let own = try #require(issued, "minute \(minute)")
                // A stranger guesses first.
                try await scene.guessAtAnything()
                #expect(
                    await scene.error(of: own.code, showing: own.challenge, from: elsewhere) == nil)
            }
            // Six times a day the owner at a new client, who asks every ten minutes.
            if minute % 240 == 100 { waitingSince = waitingSince ?? minute }
            if let since = waitingSince, (minute - since).isMultiple(of: 10),
                let issued = try await scene.ask(try #require(scene.newAddress()))
            {
                #expect(
                    await scene.error(
                        of: issued.code, showing: issued.challenge, from: issued.address) == nil)
                longestWait = max(longestWait, minute - since)
                waitingSince = nil
                visits += 1
            }
            try await scene.pass(.seconds(60))
        }
        print(
            "strangers at \(strangers): \(visits) of 18 new clients, longest wait \(longestWait) min"
        )
        if strangers == 1 { #expect(visits == 18 && longestWait <= 120) }
    }
}
