// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Hummingbird
internal import NIOCore
internal import SignetJOSE

/// What no real provider has: `POST /dev/token` makes any ID token that is asked for, `POST
/// /dev/rotate-keys` changes the key.
struct DevelopmentRoutes {
    let provider: ProviderState

    private static let maximumByteCount = 16_384

    func add(to router: Router<BasicRequestContext>) {
        router.post("dev/token") { request, _ -> Response in
            let body = try await request.body.collect(upTo: Self.maximumByteCount)
            let wish: MintRequest
            do {
                wish = try StrictJSON.decode(MintRequest.self, from: body.readableBytesView)
            } catch {
                throw ProviderError.invalidRequest(
                    #"The body is, for example, {"person": {"sub": "1", "email": "ada@company.example"}}."#
                )
            }
            return try JSONText.response(["id_token": try provider.idToken(wish)])
        }
        router.post("dev/rotate-keys") { request, _ -> Response in
            try provider.keys.rotate(forgetting: request.uri.queryParameters["forget"] == "1")
            return try JSONText.response(["kid": provider.keys.current.keyID])
        }
    }
}
