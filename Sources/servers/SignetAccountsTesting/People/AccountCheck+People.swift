// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetBase
internal import SignetSignIn

extension AccountCheck {
    static let people = [
        AccountCheck("of many first sign-ins of one identity one adds the user") { scope in
            try await PeopleScope.run(scope) { own in
                for round in 0..<3 {
                    let identity = try own.identity(round)
                    let found = try await runAtOnce(16) { number in
                        try await own.signIn(identity, on: number)
                    }
                    let ids = Set(found.map { Array($0.user.id.utf8) })
                    try scope.expect(ids.count, is: 1, named: "the count of users")
                    try scope.expect(
                        found.count { $0.isNew }, is: 1, named: "the count of new users")
                }
            }
        },
        AccountCheck("user, identity and profile are there together, or none of them") { scope in
            try await PeopleScope.run(scope) { own in
                let people = own.people()
                let identity = try own.identity()
                let addedID = Locked("")
                try await scope.expect(.invalidGrant, by: "work that throws") {
                    try await scope.database.transaction {
                        (transaction) throws(AccountError) in
                        let found = try await people.findOrAdd(identity, in: transaction)
                        addedID.withLock { $0 = found.user.id }
                        throw AccountError(.invalidGrant, "An error of the work.")
                    }
                }
                let id = addedID.withLock { $0 }
                try scope.expect(try await people.user(id) == nil, "a profile is left")
                let linked = try await people.identities(of: id)
                try scope.expect(linked.isEmpty, "an identity is left")
                try scope.expect(try await own.signIn(identity).isNew, "the identity is left")
            }
        },
        AccountCheck("an identity goes to one of many users, and stays theirs") { scope in
            try await PeopleScope.run(scope) { own in
                let identity = try own.identity()
                var guests: [String] = []
                for _ in 0..<6 { guests.append(try await own.addGuest()) }
                let ids = guests
                let winners = try await runAtOnce(ids.count) { number -> String? in
                    do throws(AccountError) {
                        return try await own.people(number).link(identity, to: ids[number]).id
                    } catch {
                        guard error.code == .identityTaken else { throw error }
                        return nil
                    }
                }
                try scope.expect(winners.count, is: 1, named: "the count of those who got it")
                let found = try await own.signIn(identity, on: 1)
                try scope.expect(!found.isNew, "no user has the identity")
                try scope.expect([found.user.id], is: winners, named: "whose it is")
            }
        },
        AccountCheck("of two last identities one stays, however many calls remove them") { scope in
            try await PeopleScope.run(scope) { own in
                for round in 0..<4 {
                    let pair = [try own.identity(2 * round), try own.identity(2 * round + 1)]
                    let id = try await own.signIn(pair[0]).user.id
                    _ = try await own.people().link(pair[1], to: id)
                    let removed = try await runAtOnce(8) { number -> Int? in
                        do throws(AccountError) {
                            let people = own.people(number / 2)
                            let had = try await people.unlink(pair[number % 2], from: id)
                            return had ? number : nil
                        } catch {
                            guard error.code == .lastIdentity else { throw error }
                            return nil
                        }
                    }
                    try scope.expect(
                        removed.count, is: 1, named: "the count of identities that went")
                    let left = try await own.people().identities(of: id)
                    try scope.expect(
                        left.count, is: 1, named: "the count of identities that are left")
                }
            }
        },
        AccountCheck("of many users who want one name one gets it, in any spelling") { scope in
            try await PeopleScope.run(scope) { own in
                var users: [String] = []
                for number in 0..<6 {
                    users.append(try await own.signIn(try own.identity(number)).user.id)
                }
                let ids = users
                try scope.expect(try await own.people().isFree(try own.username()), "not free")
                let winners = try await runAtOnce(ids.count) { number -> String? in
                    var change = ProfileChange()
                    change.username = try own.username(number)
                    do throws(AccountError) {
                        return try await own.people(number).change(ids[number], applying: change)
                            .username
                    } catch {
                        guard error.code == .nameTaken else { throw error }
                        return nil
                    }
                }
                try scope.expect(winners.count, is: 1, named: "the count of those who got it")
                let isFree = try await own.people(1).isFree(try own.username(1))
                try scope.expect(!isFree, "a name that was given away is free")
            }
        },
        AccountCheck("a guest gets an identity and stays the same user") { scope in
            try await PeopleScope.run(scope) { own in
                let guest = try await own.addGuest()
                let other = try own.identity(1)
                try scope.expect(
                    try await own.people(1).user(guest)?.isGuest, is: true, named: "isGuest")
                _ = try await own.signIn(other)
                try await scope.expect(.identityTaken, by: "an identity that has an account") {
                    try await own.people().link(other, to: guest)
                }
                let user = try await own.people().link(try own.identity(), to: guest)
                try scope.expect(user.isGuest, is: false, named: "isGuest of an account")
                let found = try await own.signIn(try own.identity(), on: 1)
                try scope.expect(found.user.id, is: guest, named: "the user of the identity")
            }
        },
        AccountCheck("an old identifier is taken over once, and never again") { scope in
            try await PeopleScope.run(scope) { own in
                let old = scope.name + "-old"
                own.note(old)
                let winners = try await runAtOnce(8) { number -> Int? in
                    do throws(AccountError) {
                        let identity = try own.ownIdentity(number % 4)
                        let found = try await own.people(number).migrate(old, as: identity)
                        return found.user.id.utf8.elementsEqual(old.utf8) ? number % 4 : nil
                    } catch {
                        guard error.code == .alreadyMigrated else { throw error }
                        return nil
                    }
                }
                try scope.expect(
                    winners.count, is: 2, named: "the count of calls of the first claimant")
                try scope.expect(Set(winners).count, is: 1, named: "the count of claimants")
                guard let winner = winners.first else { return }
                let found = try await own.signIn(try own.identity(winner), on: 1)
                try scope.expect(found.user.id, is: old, named: "the user of the claimant")
                try await own.delete(old)
                for number in 0..<2 {
                    try await scope.expect(.alreadyMigrated, by: "a claim after the deletion") {
                        try await own.people(number).migrate(
                            old, as: try own.identity(winner + number))
                    }
                }
            }
        },
        AccountCheck("a user's deletion wins against every other change of the user") { scope in
            try await PeopleScope.run(scope) { own in
                for round in 0..<4 {
                    let identities = [try own.identity(9 * round), try own.identity(9 * round + 1)]
                    let id = try await own.signIn(identities[0]).user.id
                    _ = try await runAtOnce(10) { number -> Int? in
                        do throws(AccountError) {
                            try await own.disturb(id, identities: identities, call: number)
                            return nil
                        } catch {
                            let codes: [AccountError.Code] = [
                                .unknownUser, .lastIdentity, .identityTaken,
                            ]
                            guard codes.contains(error.code) else { throw error }
                            return nil
                        }
                    }
                    try scope.expect(try await own.people().user(id) == nil, "the profile is left")
                    let linked = try await own.people(1).identities(of: id)
                    try scope.expect(linked.isEmpty, "identities are left")
                    for identity in identities {
                        let found = try await own.signIn(identity)
                        try scope.expect(found.user.id != id, "the deleted user signed in")
                    }
                }
            }
        },
    ]
}

extension PeopleScope {
    /// The same identity as by ``identity(_:)``; throws only errors of this library.
    func ownIdentity(_ number: Int) throws(AccountError) -> UserIdentity {
        guard let identity = try? identity(number) else {
            throw AccountError(.invalidParameter, "Not an address.")
        }
        return identity
    }

    /// Makes a call that may run while a user is deleted; number 4 deletes the user.
    fileprivate func disturb(
        _ id: String, identities: [UserIdentity], call number: Int
    ) async throws(AccountError) {
        switch number {
        case 4: try await delete(id, on: number)
        case 0, 5: note(try await people(number).findOrAdd(identities[0]).user.id)
        case 1, 6: _ = try await people(number).link(identities[1], to: id)
        case 2, 7: try await people(number).unlink(identities[0], from: id)
        case 3: _ = try await people(number).link(identities[0], to: id)
        default:
            var change = ProfileChange()
            change.fullName = try? PersonName("Ann \(number)")
            _ = try await people(number).change(id, applying: change)
        }
    }
}
