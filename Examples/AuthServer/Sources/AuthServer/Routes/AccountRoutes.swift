// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird
internal import SignetHummingbirdAccounts
internal import SignetJOSE

extension Services {
    /// The routes for the user's own account: what is known, changing it, deleting it.
    func addAccountRoutes(to members: RouterGroup<Member>) {
        members.get("v1/auth/me") { _, context -> Response in
            try await answer(user(context.signedIn.subject))
        }
        members.patch("v1/auth/me") { request, context -> Response in
            let body = try await request.strictJSON(ChangeBody.self)
            let id = context.signedIn.subject
            // All of the change, or none.
            let user = try await database.transaction { (transaction) throws(AccountError) in
                let user = try await people.change(id, applying: body.change, in: transaction)
                if let teams = body.teams { try await keep(teams, of: id, in: transaction) }
                return user
            }
            return try await answer(user)
        }
        // Everything that belongs to the account is deleted with it, so all of the user's tokens
        // end.
        members.delete("v1/auth/me") { _, context -> Response in
            let session = try context.signedIn.session()
            try await database.transaction { (transaction) throws(AccountError) in
                try await sessions.requireRecentSignIn(
                    session, exceptGuestsOf: people, in: transaction)
                try await AccountUsers.delete(session.subject, in: transaction)
            }
            log("account deleted", session.subject, context.logger)
            return Response(status: .noContent)
        }
        // A guest becomes an account; an account gets another way to sign in.
        members.post("v1/auth/me/identities") { request, context -> Response in
            let found = try await verified(IDTokenBody.of(request))
            try check(found, context.logger)
            let identity = UserIdentity(found.identityKey)
            let session = try context.signedIn.session()
            let id = session.subject
            let user = try await database.transaction { (transaction) throws(AccountError) in
                try await sessions.requireRecentSignIn(
                    session, exceptGuestsOf: people, in: transaction)
                try await notices.tell(.providerAdded, of: id, ifNew: identity, in: transaction)
                let told = ProfileValues(found)
                return try await people.link(identity, profile: told, to: id, in: transaction)
            }
            return try Response(json: user)
        }
        members.get("v1/auth/usernames/:name") { _, context -> Response in
            let name = try Username(context.parameters.require("name"))
            // Fast enough to check a name while the user types it.
            try await limits.take(
                .perHour(600), name: "names", for: .account(context.signedIn.subject))
            return try Response(json: ["free": await people.isFree(name)])
        }
        // Where the user is signed in, and signing out: here, everywhere, everywhere else.
        members.get("v1/auth/sessions") { _, context -> Response in
            let current = try context.signedIn.session()
            let list = try await sessions.sessions(of: current.subject)
            return try Response(json: SessionsAnswer(current: current.sessionID, sessions: list))
        }
        members.delete("v1/auth/sessions/:id") { _, context -> Response in
            let id = try context.parameters.require("id")
            let wasThere = try await sessions.end(id, of: context.signedIn.session().subject)
            return Response(status: wasThere ? .noContent : .notFound)
        }
        members.post("v1/auth/sign-out") { request, context -> Response in
            let current = try context.signedIn.session()
            switch request.uri.queryParameters.get("scope") {
            case nil, "this": try await sessions.end(current.sessionID, of: current.subject)
            case "all": try await sessions.endAll(of: current.subject)
            case "others":
                try await sessions.endAll(of: current.subject, except: current.sessionID)
                return Response(status: .noContent)
            default: throw HTTPError(.badRequest)
            }
            return Response(status: .noContent, headers: [.setCookie: cookie.clearing])
        }
    }

    private func answer(_ user: UserAccount) async throws -> Response {
        var profile = ["favorite_teams": JSONValue.array(try await teams(of: user.id))]
        profile["first_name"] = user.firstName.map { .string($0) }
        return try Response(json: MeAnswer(user: user, profile: profile))
    }

    /// The user; 401 if the account was deleted since the sign-in.
    func user(_ id: String) async throws -> UserAccount {
        if let user = try await people.user(id) { return user }
        throw AccountError(.unknownUser, "Deleted since the sign-in.")
    }
}

private struct ChangeBody: Decodable {
    let change: ProfileChange
    let teams: [String]?

    private enum CodingKeys: String, CodingKey { case teams = "favorite_teams" }

    init(from decoder: any Decoder) throws {
        change = try ProfileChange(from: decoder)
        teams = try decoder.container(keyedBy: CodingKeys.self)
            .decodeIfPresent([String].self, forKey: .teams)
    }
}

/// A user without a profile has no first name and no teams.
private struct MeAnswer: Encodable {
    let user: UserAccount
    let profile: [String: JSONValue]
}

private struct SessionsAnswer: Encodable {
    let current: String
    let sessions: [AccountSession]
}
