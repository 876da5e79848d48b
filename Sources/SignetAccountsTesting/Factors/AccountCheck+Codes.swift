// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts

extension AccountCheck {
    static let codes = [
        AccountCheck("of many with the right code one succeeds") { desk in
            try await FactorDesk.run(desk) { own in
                for purpose in ["a", "b", "c"] as [CodePurpose] {
                    let code = try await own.code(purpose)
                    let right = try await answers(32) { number in
                        try await own.isRight(code, purpose, on: number) ? number : nil
                    }
                    try desk.expect(right.count, is: 1, "the count of those that succeeded")
                }
            }
        },
        AccountCheck("of many guesses at once no more than five are compared") { desk in
            try await FactorDesk.run(desk) { own in
                let code = try await own.code()
                let right = try await answers(15) { number in
                    let guess = number == 8 ? code : try FactorDesk.wrong(code, number + 1)
                    return try await own.isRight(guess, on: number) ? number : nil
                }
                try desk.expect(right.count <= 1, "a code worked \(right.count) times")
                try desk.expect(try await own.isRight(code), is: false, "the code, afterwards")
            }
        },
        AccountCheck("a code ends with its time, after five tries, or with the next code") { desk in
            try await FactorDesk.run(desk) { own in
                let first = try await own.code()
                try await desk.expect(.tooManyRequests, by: "a second code at once") {
                    try await own.code()
                }
                try await own.pass(.seconds(60))
                let second = try await own.code()
                if first != second {
                    try desk.expect(try await own.isRight(first), is: false, "the one before")
                }
                try await own.pass(.seconds(300))
                try desk.expect(try await own.isRight(second), is: false, "one of 300 s ago")
                let third = try await own.code()
                for step in 1...5 {
                    let guess = try FactorDesk.wrong(third, step)
                    try desk.expect(try await own.isRight(guess), is: false, "a wrong one")
                }
                try desk.expect(try await own.isRight(third), is: false, "one after five tries")
                let other = try await own.code("other")
                try desk.expect(try await own.isRight(other), is: false, "one of another purpose")
                try await own.pass(.seconds(200))
                try desk.expect(try await own.isRight(other, "other"), is: true, "one of 200 s ago")
            }
        },
        AccountCheck("after twenty wrong codes a destination is refused for the day") { desk in
            try await FactorDesk.run(desk) { own in
                for purpose in ["a", "b", "c", "d"] as [CodePurpose] {
                    let code = try await own.code(purpose)
                    let right = try await answers(5) { number in
                        let guess = try FactorDesk.wrong(code, number + 1)
                        return try await own.isRight(guess, purpose, on: number) ? number : nil
                    }
                    try desk.expect(right.isEmpty, "a wrong code was right")
                }
                let code = try await own.code("e")
                try await desk.expect(.tooManyRequests, by: "the right code after twenty") {
                    try await own.isRight(code, "e")
                }
            }
        },
        AccountCheck("a right code is used up with the work that follows, or not at all") { desk in
            try await FactorDesk.run(desk) { own in
                let (code, codes) = (try await own.code(), own.codes())
                let (phone, name) = (own.phone, desk.name)
                try await desk.expect(.invalidGrant, by: "work that throws") {
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
                try desk.expect(user, is: name, "the answer of the work")
                try desk.expect(try await own.isRight(code), is: false, "a code that was used")
            }
        },
        AccountCheck("each message is sent by only one of several outboxes") { desk in
            try await FactorDesk.run(desk) { own in
                for purpose in ["a", "b", "c", "d", "e"] as [CodePurpose] {
                    _ = try await own.code(purpose)
                }
                for round in 0..<2 {
                    _ = try await answers(6) { number in
                        try await own.outbox(number).deliver()
                    }
                    // After a minute a message would be due again if the process that claimed it
                    // had ended. Here none did.
                    if round == 0 { try await own.pass(.seconds(61)) }
                }
                try desk.expect(own.sender.messages.count, is: 5, "the count of messages")
                let purposes = Set(own.sender.messages.map(\.purpose))
                try desk.expect(purposes.count, is: 5, "the count of purposes")
            }
        },
    ]

    static let factors = [
        AccountCheck("of many with one code of a device one succeeds") { desk in
            try await FactorDesk.run(desk) { own in
                let (user, hotp) = (desk.name, try HOTP())
                try await desk.database.transaction { (transaction) throws(AccountError) -> Void in
                    try await AccountUsers.add(user, in: transaction)
                }
                let factors = (0..<2).map { SecondFactors(own.database($0), secret: own.secret) }
                try await factors[0].add(.hotp(hotp), for: user)
                let recovery = try await factors[1].confirm(try hotp.code(at: 0), for: user)
                try desk.expect(try await factors[0].isRequired(for: user), "not confirmed")
                let code = try hotp.code(at: 1)
                let right = try await answers(8) { number in
                    try await isTaken {
                        try await factors[number % 2].verify(code, for: user)
                    } ? number : nil
                }
                try desk.expect(right.count, is: 1, "the count of those that succeeded")
                let recovered = try await answers(8) { number in
                    try await isTaken {
                        try await factors[number % 2].recover(recovery[0].exposedText, for: user)
                    } ? number : nil
                }
                try desk.expect(recovered.count, is: 1, "the count of those that recovered")
                try await factors[0].remove(for: user)
                try desk.expect(try await !factors[1].isRequired(for: user), "not removed")
            }
        }
    ]

    private static func isTaken<Answer>(_ body: () async throws -> Answer) async throws -> Bool {
        do {
            _ = try await body()
            return true
        } catch let error as AccountError where error.code == .wrongCode {
            return false
        }
    }
}
