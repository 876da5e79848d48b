// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetAccounts
import SignetAccountsTesting
import SignetEmail
import SignetIdentity
import SignetSignIn
import TestSupport
import Testing

@Suite("People and their identities", .serialized, .timeLimit(.minutes(20)))
struct PeopleTests {
    private let database: SQLiteAccounts
    private let people: People

    init() async throws {
        database = try await SQLiteAccounts.inMemory()
        people = People(database)
    }

    private func phone(_ text: String = "+14155551234") throws -> UserIdentity {
        .phone(try PhoneNumber(text))
    }

    private func email(_ text: String = "ann@example.com") throws -> UserIdentity {
        .email(try Mailbox(text))
    }

    private func refused(
        _ code: AccountError.Code, _ body: () async throws(AccountError) -> Void
    ) async {
        let error = await accountError { () throws(AccountError) in
            try await body()
            return true
        }
        #expect(error?.code == code)
    }

    @Test("A profile starts with the phone, \"Me\" and the time")
    func firstValues() async throws {
        let found = try await people.findOrAdd(phone())
        let user = found.user
        #expect(found.isNew && user.displayName == "Me" && user.phone == "+14155551234")
        #expect(user.fullName == nil && user.email == nil && user.username == nil)
        #expect(user.createdAt == user.updatedAt && user.createdAt.secondsSince1970 > 1.7e9)
        #expect(!user.isGuest && !user.needsProfile)
        var told = ProfileValues()
        told.fullName = try PersonName(" Ann Lee ")
        let named = try await people.findOrAdd(email(), profile: told).user
        #expect(named.displayName == "Ann Lee" && named.email == "ann@example.com")
        #expect(named.isEmailVerified)
    }

    @Test("A user's identifier is a new UUID in lower case")
    func identifier() async throws {
        let ids = [
            try await people.findOrAdd(phone()).user.id, try await people.addGuest().id,
        ]
        for id in ids {
            let form = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
            #expect(id.wholeMatch(of: form) != nil)
        }
        #expect(ids[0] != ids[1])
    }

    @Test("Signing in by phone makes an account without an address")
    func phoneAlone() async throws {
        let user = try await people.findOrAdd(phone()).user
        #expect(user.email == nil && !user.isEmailVerified && !user.needsProfile)
        #expect(try await people.findOrAdd(phone()).user.id == user.id)
    }

    @Test("A shared address joins no accounts; a link does, and sessions continue")
    func linkedLater() async throws {
        let first = try await people.findOrAdd(email()).user
        var told = ProfileValues()
        told.fullName = try PersonName("Ann")
        let other = try await people.findOrAdd(phone(), profile: told).user
        #expect(first.id != other.id)

        let sessions = try RefreshTokens(database: database, issuer: try SessionFixture.issuer())
        let issued = try await sessions.begin(for: first.id)
        await refused(.identityTaken) { () throws(AccountError) in
            _ = try await people.link(try .test("+14155551234"), to: first.id)
        }
        let linked = try await people.link(phone("+4930123456"), profile: told, to: first.id)
        #expect(linked.id == first.id && linked.fullName == "Ann" && linked.phone == "+4930123456")
        #expect(try await people.findOrAdd(phone("+4930123456")).user.id == first.id)
        #expect(try await sessions.rotate(issued.refreshToken).session.userID == first.id)
        // A repetition is not an error.
        _ = try await people.link(phone("+4930123456"), to: first.id)
        #expect(try await people.identities(of: first.id).count == 2)
        await refused(.unknownUser) { () throws(AccountError) in
            _ = try await people.link(try .test("+15"), to: "nobody")
        }
    }

    @Test("A sign-in with fewer claims deletes nothing, and the user's own values stay")
    func names() async throws {
        var told = ProfileValues()
        told.fullName = try PersonName("Ann Lee")
        let id = try await people.findOrAdd(phone(), profile: told).user.id
        let later = try await people.findOrAdd(phone()).user
        #expect(later.fullName == "Ann Lee" && later.updatedAt == later.createdAt)
        told.fullName = try PersonName("Ann Leigh")
        #expect(try await people.findOrAdd(phone(), profile: told).user.fullName == "Ann Leigh")
        var change = ProfileChange()
        change.fullName = try PersonName("Anna")
        change.displayName = try PersonName("A.")
        let changed = try await people.change(id, applying: change)
        #expect(changed.fullName == "Anna" && changed.displayName == "A.")
        let again = try await people.findOrAdd(phone(), profile: told).user
        #expect(again.fullName == "Anna" && again.displayName == "A.")
        // Another form of the same letters is another text.
        change.fullName = try PersonName("e\u{301}")
        _ = try await people.change(id, applying: change)
        change.fullName = try PersonName("é")
        let composed = try await people.change(id, applying: change).fullName
        #expect(composed.map { Array($0.utf8) } == Array("é".utf8))
    }

    @Test("A picture is an https address, and can be removed for good")
    func pictures() async throws {
        var told = ProfileValues()
        told.avatar = try EndpointURL("https://img.example/a.png")
        let user = try await people.findOrAdd(phone(), profile: told).user
        #expect(user.avatar == "https://img.example/a.png")
        var change = ProfileChange()
        change.avatar = try EndpointURL("http://localhost/a.png")
        let wrong = change
        await refused(.invalidParameter) { () throws(AccountError) in
            _ = try await people.change(user.id, applying: wrong)
        }
        change = ProfileChange()
        change.removesAvatar = true
        #expect(try await people.change(user.id, applying: change).avatar == nil)
        #expect(try await people.findOrAdd(phone(), profile: told).user.avatar == nil)
        told.avatar = try EndpointURL("http://localhost/a.png")
        let other = try await people.findOrAdd(email(), profile: told).user
        #expect(other.avatar == nil)
    }

    @Test("Names are unique by canonical form, and a name that was given up is free")
    func usernames() async throws {
        let ann = try await people.findOrAdd(phone()).user.id
        let bob = try await people.findOrAdd(email()).user.id
        var change = ProfileChange()
        change.username = try Username("Ann.Lee")
        #expect(try await people.isFree(try Username("ann.lee")))
        #expect(try await people.change(ann, applying: change).username == "Ann.Lee")
        #expect(try await !people.isFree(try Username("ANN.LEE")))
        var taken = ProfileChange()
        taken.username = try Username("ann.LEE")
        taken.fullName = try PersonName("Bob")
        let wanted = taken
        await refused(.nameTaken) { () throws(AccountError) in
            _ = try await people.change(bob, applying: wanted)
        }
        // Nothing is half done: the full name was not written either.
        #expect(try await people.user(bob)?.fullName == nil)
        // One's own, in another spelling.
        #expect(try await people.change(ann, applying: wanted).username == "ann.LEE")
        change.username = try Username("annie")
        _ = try await people.change(ann, applying: change)
        #expect(try await people.change(bob, applying: wanted).username == "ann.LEE")
    }

    @Test("A required profile is missing until each of its values is set")
    func needsProfile() async throws {
        let strict = People(database, requiring: [.fullName, .username])
        let user = try await strict.findOrAdd(phone()).user
        #expect(user.needsProfile)
        var change = ProfileChange()
        change.fullName = try PersonName("Ann")
        #expect(try await strict.change(user.id, applying: change).needsProfile)
        change.username = try Username("annie")
        #expect(try await !strict.change(user.id, applying: change).needsProfile)
        #expect(try await !People(database).findOrAdd(email()).user.needsProfile)
    }

    @Test("An address that takes another's place is the profile's from then on")
    func replaced() async throws {
        let id = try await people.findOrAdd(email("old@example.com")).user.id
        _ = try await people.link(email("new@example.com"), to: id)
        #expect(try await people.unlink(email("old@example.com"), from: id))
        let user = try #require(try await people.user(id))
        #expect(user.email == "new@example.com" && user.isEmailVerified)
    }

    @Test("The last identity cannot be removed, and a number goes with its identity")
    func unlinked() async throws {
        let id = try await people.findOrAdd(phone()).user.id
        await refused(.lastIdentity) { () throws(AccountError) in
            try await people.unlink(try .test("+14155551234"), from: id)
        }
        _ = try await people.link(email(), to: id)
        #expect(try await people.user(id)?.email == "ann@example.com")
        #expect(try await people.unlink(email("other@example.com"), from: id) == false)
        #expect(try await people.unlink(phone(), from: id))
        #expect(try await people.user(id)?.phone == nil)
        #expect(try await people.unlink(phone(), from: id) == false)
        await refused(.lastIdentity) { () throws(AccountError) in
            try await people.unlink(.email(try .test("ann@example.com")), from: id)
        }
        let new = try await people.findOrAdd(phone())
        #expect(new.isNew && new.user.id != id)
    }

    @Test("Identities are compared byte for byte")
    func bytes() async throws {
        let ids = try await [
            phone("+1415"), phone("+14150"), email("Ann@a.example"), email("ann@a.example"),
        ]
        .asyncMap { try await people.findOrAdd($0).user.id }
        #expect(Set(ids).count == 4)
        let domain = try await people.findOrAdd(email("ann@A.Example"))
        #expect(domain.user.id == ids[3])
    }

    @Test("A guest stays one until linked, and then is the same user")
    func guests() async throws {
        let guest = try await people.addGuest()
        #expect(guest.isGuest && guest.displayName == "Me")
        let sessions = try RefreshTokens(database: database, issuer: try SessionFixture.issuer())
        let issued = try await sessions.begin(for: guest.id)
        let user = try await people.link(phone(), to: guest.id)
        #expect(user.id == guest.id && !user.isGuest)
        #expect(try await sessions.rotate(issued.refreshToken).session.userID == guest.id)
    }

    @Test("A migrated user keeps the identifier, and is claimed by one identity")
    func migrated() async throws {
        try await database.add("1093")
        let found = try await people.migrate("1093", as: phone())
        #expect(found.isNew && found.user.id == "1093")
        let again = try await people.migrate("1093", as: phone())
        #expect(!again.isNew && again.user.id == "1093")
        #expect(try await people.findOrAdd(phone()).user.id == "1093")
        await refused(.alreadyMigrated) { () throws(AccountError) in
            _ = try await people.migrate("1093", as: try .test("+15"))
        }
        // A user with an account gets no second one and does not lose the first.
        let other = try await people.findOrAdd(email()).user.id
        await refused(.identityTaken) { () throws(AccountError) in
            _ = try await people.migrate("1094", as: .email(try .test("ann@example.com")))
        }
        // The refusal left no claim.
        #expect(try await people.migrate("1094", as: phone("+15")).user.id == "1094")
        // The account of a guest, or of someone else, cannot be taken over.
        let guest = try await people.addGuest().id
        for taken in [guest, other] {
            await refused(.alreadyMigrated) { () throws(AccountError) in
                _ = try await people.migrate(taken, as: try .test("+16"))
            }
        }
        await refused(.invalidParameter) { () throws(AccountError) in
            _ = try await people.migrate("a\0b", as: try .test("+16"))
        }
        #expect(try await people.findOrAdd(phone("+16")).isNew)
    }

    @Test("Deleting a user deletes the profile and the identities")
    func deletion() async throws {
        let user = try await people.findOrAdd(phone()).user.id
        let isThere = try await database.transaction { (transaction) throws(AccountError) in
            try await AccountUsers.delete(user, in: transaction)
        }
        #expect(isThere)
        for statement: SQLStatement in [
            "SELECT user_id FROM signet_profiles", "SELECT user_id FROM signet_identities",
            "SELECT id FROM signet_users",
        ] {
            #expect(try await database.run(statement).isEmpty)
        }
        // No profile without a user, nor an identity.
        for statement: SQLStatement in [
            """
            INSERT INTO signet_profiles (user_id, email_verified, owns_full_name, owns_avatar,
                added_at, changed_at) VALUES ($1, 0, 0, 0, 0, 0)
            """,
            """
            INSERT INTO signet_identities (issuer, subject, user_id, linked_at)
            VALUES ('phone', '+1', $1, 0)
            """,
        ] {
            await #expect(throws: AccountError(.conflict, "")) {
                try await database.run(statement, values: [.text("nobody")])
            }
        }
        await refused(.unknownUser) { () throws(AccountError) in
            _ = try await people.change(user, applying: ProfileChange())
        }
        #expect(try await people.user(user) == nil)
        #expect(try await people.user("a\0b") == nil)
    }

    @Test("Sign-ins that lose a race leave no user behind")
    func nothingLeftOver() async throws {
        let identity = try phone()
        try await withThrowingTaskGroup { group in
            for _ in 0..<20 { group.addTask { _ = try await people.findOrAdd(identity) } }
            try await group.waitForAll()
        }
        #expect(try await database.run("SELECT id FROM signet_users").count == 1)
    }

    @Test("Printing a person shows no personal data")
    func redacted() async throws {
        var told = ProfileValues()
        told.fullName = try PersonName("Secretname")
        let user = try await people.findOrAdd(phone(), profile: told).user
        var dumped = ""
        dump([told as Any, user, try phone(), try PersonName("Secretname")], to: &dumped)
        for text in ["\(user)", "\(told)", "\(try phone())", String(reflecting: user), dumped] {
            #expect(!text.contains("Secretname") && !text.contains("4155551234"))
        }
    }
}

extension UserIdentity {
    fileprivate static func test(_ number: String) throws(AccountError) -> UserIdentity {
        guard let number = try? PhoneNumber(number) else { throw AccountError(.corrupt, "") }
        return .phone(number)
    }
}

extension Mailbox {
    fileprivate static func test(_ text: String) throws(AccountError) -> Mailbox {
        guard let mailbox = try? Mailbox(text) else { throw AccountError(.corrupt, "") }
        return mailbox
    }
}

extension Array {
    fileprivate func asyncMap<Value>(
        _ transform: (Element) async throws -> Value
    ) async throws -> [Value] {
        var answers: [Value] = []
        for element in self { answers.append(try await transform(element)) }
        return answers
    }
}
