// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird
internal import SignetIdentity

/// `GET /.well-known/jwks.json`: the public halves of the signing keys, for other services that verify session tokens.
///
/// They may keep it for five minutes. One that sees an unknown `kid` before that asks again, as Signet's `RemoteKeySet` does, so that a
/// rotation is noticed at once.
struct KeySetRoute {
    let tokens: SessionTokens

    func add(to router: Router<AppRequestContext>) {
        router.get(".well-known/jwks.json") { _, _ -> Response in
            do throws(IdentityConfigurationError) {
                return JSONAnswer.response(
                    bytes: Array(try tokens.issuer.keys.jwksJSON(clock: tokens.clock).utf8),
                    headers: [.cacheControl: "public, max-age=300"])
            } catch {
                throw Refusal.internalError(reason: "keys.\(error.code.rawValue)")
            }
        }
    }
}
