// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCurl
import SignetLogin
import SignetSecretService

struct Me: Decodable, Sendable { let name: String }

let api = try EndpointURL("https://api.example/me")
let account = try LocalAccount(
    application: "notes", server: .openID(issuer: "https://idp.example", clientID: "notes"),
    keyring: SecretServiceKeyring(), transport: .curl)
do {
    switch CommandLine.arguments.dropFirst().first {
    case "in": print("welcome", try await account.signIn(.device { print($0) }).name)
    case "out": try await account.signOut()
    default: print(try await account.client(for: [api]).decode(Me.self, from: .init(url: api)).name)
    }
} catch {
    print(error)
    // A call that fails may leave a running exchange behind; a call that succeeds does not.
    await account.drain()
}
