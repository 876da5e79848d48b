// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird
internal import SignetJOSE

/// `GET` and `POST /api/visits`: a sample of what belongs to whoever has signed in.
struct VisitRoutes {
    let store: any AccountStore
    let now: @Sendable () -> Int64

    private static let listLimit = 100
    private static let placeByteCount = 1...200

    func add(to group: RouterGroup<SignedInContext>) {
        group.get("api/visits") { _, context -> Response in
            let visits = try await AccountRoutes.answering { () async throws(AccountStoreError) in
                try await store.visits(of: context.principal.account.id, limit: Self.listLimit)
            }
            return JSONAnswer.response(["visits": visits])
        }
        group.post("api/visits") { request, context -> Response in
            guard let body = try await JSONBody.value(Body.self, of: request),
                Self.placeByteCount.contains(body.place.utf8.count), !body.place.utf8.contains(0)
            else {
                throw Refusal.badRequest("place is a text of 1 to 200 bytes")
            }
            let visit = try await AccountRoutes.answering { () async throws(AccountStoreError) in
                try await store.add(
                    NewVisit(place: body.place, at: now()), to: context.principal.account.id)
            }
            // Deleted since the token was looked at.
            guard let visit else {
                throw SessionAuthentication.refused(.invalidToken, "session.revoked")
            }
            return JSONAnswer.response(["visit": visit], status: .created)
        }
    }

    private struct Body: Decodable {
        let place: String
    }
}
