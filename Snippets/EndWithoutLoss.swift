// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SignetCurl
import SignetIdentity
import SignetSession
import SignetSignIn

// A whole program that stays signed in, and ends at SIGTERM without losing its session.

/// The program's work, with a token for each round.
func work(_ manager: SessionManager) async {
    while !Task.isCancelled {
        do throws(SessionError) {
            let token = try await manager.accessToken()
            print("this would be sent with", token)
        } catch {
            print("no token: \(error.code)")
        }
        try? await Task.sleep(for: .seconds(60))
    }
}

// systemd names a service's folder (StateDirectory=, with StateDirectoryMode=0700). By hand, this
// example uses a new one each time.
let kept = ProcessInfo.processInfo.environment["STATE_DIRECTORY"]
let folder = kept ?? FileManager.default.temporaryDirectory.path + "/" + UUID().uuidString
try FileManager.default.createDirectory(
    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
defer { if kept == nil { try? FileManager.default.removeItem(atPath: folder) } }

// The first start makes the key file and the vault; later ones read them.
_ = try? KeyFileUnlock.create(at: folder + "/key")
let vault = try FileVault.openOrCreate(
    at: folder + "/vault", with: KeyFileUnlock(path: folder + "/key"))

let endpoint = try TokenEndpoint(
    url: EndpointURL("https://idp.example/token"), clientID: "daemon", authentication: .none,
    transport: .curl)
let server = OAuthBackend(endpoint) { _ in "user-1093" }
let manager = try SessionManager(store: vault, service: "idp.example", backend: server)

// Before the work begins: SIGTERM no longer ends the process by itself, and none is missed once the
// source is registered.
signal(SIGTERM, SIG_IGN)
let (signals, signalled) = AsyncStream<Void>.makeStream()
let source = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
source.setEventHandler { @Sendable in signalled.yield() }
await withCheckedContinuation { (isReady: CheckedContinuation<Void, Never>) in
    source.setRegistrationHandler { @Sendable in isReady.resume() }
    source.resume()
}
let running = Task { await work(manager) }

// Here the program sends the signal to itself.
kill(getpid(), SIGTERM)

// At SIGTERM: waits until a running exchange is in the store, and begins no other.
for await _ in signals { break }
await manager.drain()
running.cancel()
