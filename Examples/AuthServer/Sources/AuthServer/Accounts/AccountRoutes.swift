// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird
internal import Logging

/// `GET /v1/auth/me` and `DELETE /v1/auth/me`: one's own account.
struct AccountRoutes {
    let store: any AccountStore

    func add(to group: RouterGroup<SignedInContext>) {
        group.get("v1/auth/me") { _, context -> Response in
            let account = context.principal.account
            let profile = try await Self.answering { () async throws(AccountStoreError) in
                try await store.profile(of: account.id)
            }
            return JSONAnswer.response(AccountAnswer(account, profile))
        }
        // The account goes with profile, visits and every session, so that this and every other token of the person ends here.
        group.delete("v1/auth/me") { _, context -> Response in
            let account = context.principal.account
            try await Self.answering { () async throws(AccountStoreError) in
                try await store.delete(account: account.id)
            }
            context.logger.notice("account deleted")
            return Response(status: .noContent, headers: [.cacheControl: "no-store"])
        }
    }

    static func answering<R>(
        _ body: () async throws(AccountStoreError) -> R
    ) async throws(Refusal) -> R {
        do throws(AccountStoreError) { return try await body() } catch {
            if error == .visitsFull {
                throw Refusal(status: .conflict, text: "Too many visits", reason: "visits.full")
            }
            throw .internalError(reason: "store.\(error.code)")
        }
    }
}

/// What `GET /v1/auth/me` answers. Whoever has no profile has no first name and no teams.
struct AccountAnswer: Encodable {
    struct User: Encodable {
        let id: String
        let email: String?
    }

    struct Details: Encodable {
        let firstName: String?
        let favoriteTeams: [String]

        private enum CodingKeys: String, CodingKey {
            case firstName = "first_name"
            case favoriteTeams = "favorite_teams"
        }
    }

    let user: User
    let profile: Details

    init(_ account: Account, _ profile: Profile?) {
        user = User(id: account.subject, email: account.email)
        self.profile = Details(
            firstName: profile?.firstName, favoriteTeams: profile?.favoriteTeams ?? [])
    }
}
