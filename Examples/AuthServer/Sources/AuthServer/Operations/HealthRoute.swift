// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird

/// `GET /health`: 200 when the store answers, 503 when it does not. It asks nobody outside: a provider that is down is no reason to
/// restart this server.
struct HealthRoute {
    let store: any AccountStore

    func add(to router: Router<AppRequestContext>) {
        router.get("health") { _, context -> Response in
            do throws(AccountStoreError) {
                try await store.check()
            } catch {
                throw Refusal(
                    status: .serviceUnavailable, text: "The store does not answer",
                    reason: "store.\(error.code)")
            }
            return JSONAnswer.response(["status": "ok"])
        }
    }
}
