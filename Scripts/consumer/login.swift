// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Someone else's program that signs its user in, without a keyring. Scripts/consumer.sh builds and runs it.
import SignetLogin

struct Nowhere: IdentityTransport {
    func exchange(
        _ request: TransportRequest
    ) async throws(TransportFailure) -> TransportResponse {
        throw TransportFailure(.unreachable, "There is no network here.")
    }
}

let account = try LocalAccount(
    application: "example", server: .openID(issuer: "https://idp.example", clientID: "example"),
    keyring: nil, transport: Nowhere())
do throws(LoginError) {
    print(try await account.user().name)
} catch {
    print(error.code)
}
