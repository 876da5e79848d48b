// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCurl
import SignetEmail
import SignetLogin
import SignetSecretService
import SignetSupabase

struct Note: Decodable, Sendable { let text: String }

// Compiled but not called: they need a provider and a person who signs in.
func stayHere() async throws {
    // snippet.LocalAccount
    let account = try LocalAccount(
        application: "org.example.notes",
        server: .openID(issuer: "https://idp.example", clientID: "notes"),
        keyring: SecretServiceKeyring(), transport: .curl)

    try await account.signIn(.device { print($0) })
    let api = try EndpointURL("https://api.example")
    let client = try await account.client(for: [api])
    // snippet.end
    let note = try await client.decode(
        Note.self, from: TransportRequest(url: api.appending(path: "notes/1")))
    print(note.text)

    // Signs out here first, whatever the server answers.
    if let error = try await account.signOut() { print("the server was not told:", error) }
}

// At each start: nothing is asked of a server.
func start(_ account: LocalAccount) async {
    do throws(LoginError) {
        print("welcome back", try await account.user().name)
    } catch {
        switch error.code {
        case .signedOut, .otherServer: print("sign in first")
        case .locked, .unavailable: print("the session may be there:", error.message)
        default: print(error)
        }
    }
}

// Once the person has agreed: nothing else helps against damage or a lost key.
func beginAnew(_ accounts: LocalAccounts, _ account: LocalAccount) async throws {
    print("kept as", try await accounts.setAsideBroken())
    try await account.forget()
}

// In the browser of this machine if there is one, else on another device.
func signInStaff(_ account: LocalAccount) async throws {
    let staff = try BusinessEmailPolicy(allowing: ["company.example"])
    try await account.signIn(.suitable { print($0) }, allowing: staff)
}

// With a code by phone, at a Supabase project.
func signInByPhone(_ accounts: LocalAccounts) async throws {
    let project = LoginServer.supabase(
        url: "https://ref.supabase.co", publishableKey: "sb_publishable_…")
    let phone = SupabaseDestination.phone(try PhoneNumber("+14155551234"))
    try await accounts.account("phone", at: project).signIn(
        .code(to: phone) { prompt in
            print(prompt)
            return readLine() ?? ""
        })
}

func several() async throws {
    let accounts = try LocalAccounts(
        application: "org.example.notes", keyring: SecretServiceKeyring(), transport: .curl)
    let server = LoginServer.openID(issuer: "https://idp.example", clientID: "notes")
    for name in try await accounts.names() {
        do {
            print(name, try await accounts.account(name, at: server).user().name)
        } catch {
            print(name, error.code)
        }
    }
}

print(LoginError.Code.signedOut)
