// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCurl
import SignetIdentity
import SignetSession
import SignetSignIn

func send(_ authorization: String) {}

// Compiled but not called: it needs a provider and a person who signs in.
func staySignedIn(_ response: TokenEndpointResponse, of subject: String) async throws {
    let endpoint = try TokenEndpoint(
        url: EndpointURL("https://idp.example/token"), clientID: "desktop",
        authentication: .none, transport: .curl)
    // The first start makes the folders, the key file and the vault; later ones read them.
    let folders = try StandardFolders(application: "org.example.mail")
    try folders.make()
    let key = folders.state + "/key"
    _ = try? KeyFileUnlock.create(at: key)
    let vault = try FileVault.openOrCreate(
        application: "org.example.mail", with: KeyFileUnlock(path: key))

    let server = OAuthBackend(endpoint) { _ in subject }
    // snippet.SessionManager
    let manager = try SessionManager(store: vault, service: "idp.example", backend: server)

    // At each start: four answers that cannot be confused.
    switch await manager.start() {
    case .signedIn(let user): print("welcome back", user.id)
    case .locked: print("unlock the vault, and the session is there")
    case .unavailable(let error): print("nothing was removed:", error.code)
    case .signedOut, .checking: try await manager.adopt(server.grant(of: response))
    }

    // For each request: a fresh token, stored before you get it. Printing it shows nothing.
    let token = try await manager.accessToken()
    // snippet.end
    send("Bearer \(token.exposedText)")

    // After a 401, once.
    if let next = try await manager.afterUnauthorized(token) { print("try again with", next) }

    // Signs out here first, whatever the server answers.
    await manager.signOut()
}

struct Note: Decodable, Sendable { let createdAt: Timestamp }

func write(_ manager: SessionManager) async throws {
    // snippet.BearerClient
    let api = try EndpointURL("https://api.example/v1")
    let client = try BearerClient(manager: manager, transport: .curl, origins: [api])
    let request = try TransportRequest(
        url: api.appending(path: "notes"), method: .post,
        body: TransportRequest.Body(Array("{}".utf8), contentType: "application/json"))
    // snippet.hide
    do throws(APIError) {
        // snippet.show
        let note = try await client.decode(Note.self, from: request)
        // snippet.end
        print("kept at", note.createdAt)
    } catch {
        print(error.code == .notSignedIn ? "sign in first" : error.message)
    }
}

func read(_ client: BearerClient) async {
    // A plain `do` takes errors of every type; each is caught by its own.
    do {
        let url = "https://api.example/v1/notes/1"
        let note = try await client.decode(
            Note.self, from: TransportRequest(url: EndpointURL(url)))
        print("kept at", note.createdAt)
    } catch let error as APIError {
        print(error.message)
    } catch {
        print("no such address:", error)
    }
}

func show(_ manager: SessionManager, _ client: some AuthFlowClient) async {
    let driver = AuthFlowDriver(manager: manager, client: client)
    await driver.ask(.launch)
    for await flow in driver.flows() { print(flow.route, flow.failure?.rawValue ?? "") }
}

print(SignOutScope.allCases)
