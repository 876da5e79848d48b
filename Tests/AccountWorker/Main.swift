// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import SignetAccounts
import SignetCrypto
import SignetIdentity
import SignetJOSE

/// A server with sessions, to be killed at any moment, and its clients.
///
///     account-worker FOLDER COUNT
///
/// The folder has the database, and the tokens of so many clients in a file each. Told is what a
/// client would have heard, each in a line.
@main
struct AccountWorker {
    private let folder: String
    private let count: Int
    private let tokens: RefreshTokens

    static func main() async {
        // SIGALRM ends a worker that its test has lost.
        alarm(1200)
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let count = Int(arguments[2]) else {
            return say("usage: account-worker FOLDER COUNT")
        }
        do {
            try await AccountWorker(arguments[1], count).serve()
        } catch {
            say("error \(error)")
        }
    }

    private init(_ folder: String, _ count: Int) async throws {
        self.folder = folder
        self.count = count
        let database = try await SQLiteAccounts.open(
            at: folder + "/accounts", busyTimeout: .seconds(600))
        let key = try HMACKey(
            secret: SecretKey(copying: [UInt8](repeating: 7, count: 32)), algorithm: .hs256,
            keyID: "test")
        var options = RefreshTokenOptions()
        options.grace = .seconds(60)
        tokens = try RefreshTokens(
            database: database,
            issuer: SessionTokenIssuer(
                issuer: "https://api.example", audience: "session", keys: SessionKeyRing(key),
                lifetime: .oneHour), options: options)
    }

    private func serve() async throws {
        Self.say("ready")
        while true {
            switch Int.random(in: 0..<10) {
            case 0: try await begin()
            default: try await refresh(Int.random(in: 0..<count))
            }
        }
    }

    /// A client of several, which share the file of its token, and may write to it late.
    private func refresh(_ client: Int) async throws {
        let file = "\(folder)/token-\(client)"
        let token = try String(contentsOfFile: file, encoding: .utf8)
        let next = try await tokens.rotate(token).refreshToken
        Self.say("rotated \(client) \(token) \(next)")
        try Data(next.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
    }

    private func begin() async throws {
        let issued = try await tokens.begin(for: "user", device: "worker")
        Self.say("begun \(issued.session.id) \(issued.refreshToken)")
        guard Bool.random() else { return }
        Self.say("ending \(issued.session.id)")
        try await tokens.end(issued.session.id, of: "user")
        Self.say("ended \(issued.session.id)")
    }

    private static func say(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    }
}
