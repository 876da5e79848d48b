// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetCurl
import SignetLogin
import SignetSecretService

struct Profile: Decodable, Sendable { let name: String }

let api = try EndpointURL("https://api.example/me")
let account = try LocalAccount(
    application: "notes", server: .openID(issuer: "https://idp.example", clientID: "notes"),
    keyring: SecretServiceKeyring(), transport: .curl)
var status: Int32 = 0
do {
    switch CommandLine.arguments.dropFirst().first {
    case "in": print("welcome", try await account.signIn(.device { print($0) }).name)
    case "out": try await account.signOut()
    case "name":
        print(try await account.client(for: [api]).decode(Profile.self, from: .init(url: api)).name)
    default: print("in, out or name?")
    }
} catch {
    print(error)
    status = 1
}
await account.drain()
exit(status)
