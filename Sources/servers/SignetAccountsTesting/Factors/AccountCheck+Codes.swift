// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

extension AccountCheck {
    static let codes = [
        AccountCheck("of many with the right code one succeeds") { scope in
            try await FactorScope.run(scope) { own in
                for purpose in ["a", "b", "c"] as [CodePurpose] {
                    let issued = try await own.issueCode(purpose)
                    let rightCount = try await countAtOnce(32) { number in
                        try await own.enter(issued.code, of: issued, purpose: purpose, on: number)
                    }
                    try scope.expect(rightCount, is: 1, named: "the count of those that succeeded")
                }
            }
        },
        AccountCheck("of a code and its link one is used, also at once") { scope in
            try await FactorScope.run(scope) { own in
                for purpose in ["a", "b", "c"] as [CodePurpose] {
                    let message = try await own.issueLink(purpose)
                    let usedCount = try await countAtOnce(16) { number in
                        // In pairs, so that both objects get both.
                        try await own.enter(message, byLink: number / 2 % 2 == 0, on: number)
                    }
                    try scope.expect(usedCount, is: 1, named: "the count of those that were used")
                    for byLink in [true, false] {
                        try scope.expect(
                            try await own.enter(message, byLink: byLink, on: 0), is: false,
                            named: "code and link, afterwards")
                    }
                }
            }
        },
        AccountCheck("of many guesses at once no more than five are compared") { scope in
            try await FactorScope.run(scope) { own in
                let issued = try await own.issueCode()
                // One of the guesses is right.
                let rightCount = try await countAtOnce(15) { number in
                    let guess =
                        number == 8
                        ? issued.code : try FactorScope.wrongCode(issued.code, step: number + 1)
                    return try await own.enter(guess, of: issued, on: number)
                }
                try scope.expect(rightCount <= 1, "a code worked \(rightCount) times")
                try scope.expect(
                    try await own.enter(issued.code, of: issued), is: false,
                    named: "the code, afterwards")
            }
        },
        AccountCheck("a code ends with its time or after five tries, and with no other code") {
            scope in
            try await FactorScope.run(scope) { own in
                let first = try await own.issueCode()
                try await scope.expect(.tooManyRequests, by: "a second code of a client at once") {
                    try await own.issueCode(showing: first)
                }
                try await own.pass(.seconds(60))
                let second = try await own.issueCode(showing: first)
                let stranger = try await own.issueCode()
                for (issued, name) in [(first, "the code before"), (stranger, "the newest")] {
                    try scope.expect(
                        try await own.enter(issued.code, of: issued), is: true, named: name)
                }
                try await own.pass(.seconds(300))
                try scope.expect(
                    try await own.enter(second.code, of: second), is: false,
                    named: "a code of 300 s ago")
                try await own.pass(.seconds(3_600))
                let third = try await own.issueCode()
                for step in 1...5 {
                    let guess = try FactorScope.wrongCode(third.code, step: step)
                    try scope.expect(
                        try await own.enter(guess, of: third), is: false, named: "a wrong code")
                }
                try scope.expect(
                    try await own.enter(third.code, of: third), is: false,
                    named: "a code after five tries")
                let other = try await own.issueCode("other")
                try scope.expect(
                    try await own.enter(other.code, of: other), is: false,
                    named: "a code of a different purpose")
                try await own.pass(.seconds(200))
                try scope.expect(
                    try await own.enter(other.code, of: other, purpose: "other"), is: true,
                    named: "a code of 200 s ago")
            }
        },
        AccountCheck("of many requests at once three are granted, each with a code of its own") {
            scope in
            try await FactorScope.run(scope) { own in
                let issued = try await runAtOnce(12) { number -> FactorScope.Issued? in
                    do { return try await own.issueCode(on: number) } catch let error
                        as AccountError
                        where error.code == .tooManyRequests
                    { return nil }
                }
                try scope.expect(issued.count, is: 3, named: "the count of codes")
                for one in issued {
                    try scope.expect(
                        try await own.enter(one.code, of: one), is: true,
                        named: "one of three codes")
                }
            }
        },
        AccountCheck("clients without a code share twenty guesses a day, and no one's tries") {
            scope in
            try await FactorScope.run(scope) { own in
                let issued = try await own.issueCode(from: "192.0.2.1")
                let rightCount = try await countAtOnce(20) { number in
                    let guess = try FactorScope.wrongCode(issued.code, step: number + 1)
                    return try await own.enter(
                        guess, showing: nil, from: "198.51.100.\(number)", on: number)
                }
                try scope.expect(rightCount, is: 0, named: "the count of wrong codes that worked")
                try await scope.expect(.tooManyRequests, by: "the right code of a stranger") {
                    try await own.enter(issued.code, showing: nil, from: "198.51.100.1")
                }
                let wrong = try FactorScope.wrongCode(issued.code)
                for address in [nil, "192.0.2.1"] {
                    let challenge = address == nil ? issued.sent.challenge : nil
                    for _ in 0..<2 {
                        try scope.expect(
                            try await own.enter(wrong, showing: challenge, from: address),
                            is: false, named: "a wrong code of the client")
                    }
                }
                try scope.expect(
                    try await own.enter(issued.code, of: issued), is: true,
                    named: "the right code")
            }
        },
        AccountCheck("after twenty wrong codes of others, a code has one try") { scope in
            try await FactorScope.run(scope) { own in
                for purpose in ["a", "b", "c", "d"] as [CodePurpose] {
                    let issued = try await own.issueCode(purpose)
                    for step in 1...5 {
                        let guess = try FactorScope.wrongCode(issued.code, step: step)
                        try scope.expect(
                            try await own.enter(guess, of: issued, purpose: purpose), is: false,
                            named: "a wrong code")
                    }
                    try await own.pass(.seconds(1_200))
                }
                let first = try await own.issueCode("e")
                let wrong = try FactorScope.wrongCode(first.code)
                try scope.expect(
                    try await own.enter(wrong, of: first, purpose: "e"), is: false, named: "wrong"
                )
                try scope.expect(
                    try await own.enter(first.code, of: first, purpose: "e"), is: false,
                    named: "a second try")
                try await own.pass(.seconds(1_200))
                let second = try await own.issueCode("e")
                try scope.expect(
                    try await own.enter(second.code, of: second, purpose: "e"), is: true,
                    named: "the only try")
            }
        },
        AccountCheck("a client that signed in there before gets codes when strangers ask") {
            scope in
            try await FactorScope.run(scope) { own in
                let user = scope.name
                let phone = own.phone
                let secret = own.secret
                let device = try await scope.database.transaction {
                    (transaction) throws(AccountError) in
                    try await AccountUsers.add(user, in: transaction)
                    return try await KnownClients(secret: secret).remember(
                        device: nil, address: ClientAddress("192.0.2.1"), at: phone, of: user,
                        in: transaction)
                }
                for number in 0..<3 { _ = try await own.issueCode(from: "198.51.100.\(number)") }
                try await scope.expect(.tooManyRequests, by: "a request of another device") {
                    try await own.issueCode(from: "192.0.2.2")
                }
                let byDevice = try await own.issueCode(from: "192.0.2.2", device: device)
                let byAddress = try await own.issueCode(from: "192.0.2.1")
                for issued in [byDevice, byAddress] {
                    try scope.expect(
                        try await own.enter(issued.code, of: issued), is: true, named: "its code")
                }
                try await scope.expect(.tooManyRequests, by: "a sixth code") {
                    try await own.issueCode(device: device)
                }
            }
        },
        AccountCheck("a right code is used up with the work that follows, or not at all") { scope in
            try await FactorScope.run(scope) { own in
                let issued = try await own.issueCode()
                let codes = own.codes()
                let code = issued.code
                let phone = own.phone
                let name = scope.name
                try await scope.expect(.invalidGrant, by: "work that throws") {
                    try await codes.verify(code, sentTo: phone, for: .signIn) {
                        (transaction, _) throws(AccountError) -> Int in
                        try await AccountUsers.add(name, in: transaction)
                        throw AccountError(.invalidGrant, "An error of the work.")
                    }
                }
                let user = try await codes.verify(code, sentTo: phone, for: .signIn) {
                    (transaction, _) throws(AccountError) in
                    try await AccountUsers.add(name, in: transaction)
                    return name
                }
                try scope.expect(user, is: name, named: "the answer of the work")
                try scope.expect(
                    try await own.enter(code, of: issued), is: false,
                    named: "a code that was used")
            }
        },
        AccountCheck("each message is sent by only one of several outboxes") { scope in
            try await FactorScope.run(scope) { own in
                for purpose in ["a", "b", "c"] as [CodePurpose] {
                    _ = try await own.issueCode(purpose)
                }
                for round in 0..<2 {
                    _ = try await runAtOnce(6) { number in
                        try await own.outbox(number).deliver()
                    }
                    // After a minute a message would be due again if the process that claimed it
                    // had ended. Here no process has ended.
                    if round == 0 { try await own.pass(.seconds(61)) }
                }
                try scope.expect(own.sender.messages.count, is: 3, named: "the count of messages")
                let purposes = Set(own.sender.messages.map(\.purpose))
                try scope.expect(purposes.count, is: 3, named: "the count of purposes")
            }
        },
    ]

    static let factors = [
        AccountCheck("of many with one code of a device one succeeds") { scope in
            try await FactorScope.run(scope) { own in
                let user = scope.name
                let hotp = try HOTP()
                try await scope.database.transaction { (transaction) throws(AccountError) in
                    try await AccountUsers.add(user, in: transaction)
                }
                let factors = (0..<2).map { SecondFactors(own.database($0), secret: own.secret) }
                try await factors[0].add(.hotp(hotp), for: user)
                let recovery = try await factors[1].confirm(try hotp.code(at: 0), for: user)
                try scope.expect(try await factors[0].isRequired(for: user), "not confirmed")
                let code = try hotp.code(at: 1)
                let rightCount = try await countAtOnce(8) { number in
                    try await isTaken { try await factors[number % 2].verify(code, for: user) }
                }
                try scope.expect(rightCount, is: 1, named: "the count of those that succeeded")
                let recoveredCount = try await countAtOnce(8) { number in
                    try await isTaken {
                        try await factors[number % 2].recover(recovery[0].exposedText, for: user)
                    }
                }
                try scope.expect(recoveredCount, is: 1, named: "the count of those that recovered")
                try await factors[0].remove(for: user)
                try scope.expect(try await !factors[1].isRequired(for: user), "not removed")
            }
        },
        AccountCheck("of many that confirm a device at once one is the first") { scope in
            try await FactorScope.run(scope) { own in
                let user = scope.name
                let devices = try (0..<8).map { _ in try HOTP() }
                try await scope.database.transaction { (transaction) throws(AccountError) in
                    try await AccountUsers.add(user, in: transaction)
                }
                let factors = (0..<2).map { SecondFactors(own.database($0), secret: own.secret) }
                var ids: [String] = []
                for (number, device) in devices.enumerated() {
                    let factor = try await factors[number % 2].add(
                        .hotp(device), named: "\(number)", for: user)
                    ids.append(factor.id)
                }
                let added = ids
                let firstCount = try await countAtOnce(devices.count) { number in
                    try await isTaken {
                        try await factors[number % 2].confirm(
                            try devices[number].code(at: 0), of: added[number], for: user)
                    }
                }
                // The first one removes the others.
                try scope.expect(firstCount, is: 1, named: "the count of confirmed devices")
                let left = try await factors[0].factors(of: user)
                try scope.expect(left.count, is: 1, named: "the count of devices")
                try scope.expect(left.allSatisfy(\.isConfirmed), "not confirmed")
            }
        },
    ]

    /// Whether a code is taken: false for `wrongCode`. Every other error is rethrown.
    static func isTaken<Value>(_ body: () async throws -> Value) async throws -> Bool {
        do {
            _ = try await body()
            return true
        } catch let error as AccountError where error.code == .wrongCode {
            return false
        }
    }
}
