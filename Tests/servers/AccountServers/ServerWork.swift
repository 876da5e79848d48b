// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import SignetAccounts
import SignetBase
import SignetCrypto
import SignetIdentity
import SignetJOSE
import SignetSignIn
import TestSupport

/// A server with sessions, codes and limits, to be killed at any moment, and its clients. Told is
/// what a client would have heard, each in a line.
///
/// The folder has the tokens of so many clients in a file each, and codes that were sent, each in a
/// file too. All servers of a database share it.
package struct ServerWork: Sendable {
    /// How many subjects have a limit, and how often each may act.
    package static let limited = (count: 12, burst: 25)
    /// Codes under way at a time.
    private static let codes = 8

    package let tokens: RefreshTokens
    private let place: AccountPlace
    private let folder: String
    private let clients: Int
    private let codes: OneTimeCodes
    private let limits: RateLimits
    private let output = Locked(FileHandle.standardOutput)

    package init(
        _ place: AccountPlace, _ database: any AccountDatabase, folder: String, clients: Int
    ) throws {
        self.place = place
        self.folder = folder
        self.clients = clients
        let key = try HMACKey(
            secret: SecretKey(copying: [UInt8](repeating: 7, count: 32)), algorithm: .hs256,
            keyID: "test")
        var options = RefreshTokenOptions()
        options.grace = .seconds(60)
        tokens = try RefreshTokens(
            database: database,
            issuer: SessionTokenIssuer(
                issuer: "https://api.example", audience: "session", keys: SessionKeyRing(key),
                lifetime: .seconds(3600), clock: .still), options: options)
        let secret = try AccountSecret(SecretKey(copying: [UInt8](repeating: 9, count: 32)))
        codes = OneTimeCodes(database, secret: secret)
        limits = RateLimits(database, secret: secret)
    }

    /// Serves for ever, several requests at once; without clients it serves none.
    package func serve() async {
        say("ready")
        while clients == 0 { try? await Task.sleep(for: .seconds(3600)) }
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    while true {
                        do {
                            try await request()
                        } catch {
                            report(error)
                        }
                    }
                }
            }
        }
    }

    /// What a client hears before it retries: its connection was lost.
    private func report(_ error: any Error) {
        if place.losesConnections, let error = error as? AccountError,
            error.code == .unavailable || error.code == .outcomeUnknown
        {
            say("later \(error.code)")
            // The server may be starting again.
            usleep(2_000)
        } else {
            say("error \(error)")
        }
    }

    private func request() async throws {
        switch Int.random(in: 0..<20) {
        case 0...1: try await begin()
        case 2: try await take()
        case 3...7: try await check(Int.random(in: 0..<Self.codes))
        default: try await refresh(Int.random(in: 0..<clients))
        }
    }

    /// A client of several, which share the file of its token, and may write to it late.
    private func refresh(_ client: Int) async throws {
        let file = "\(folder)/token-\(client)"
        let token = try String(contentsOfFile: file, encoding: .utf8)
        let next = try await tokens.rotate(token).refreshToken
        say("rotated \(client) \(token) \(next)")
        try Data(next.utf8).write(to: URL(fileURLWithPath: file), options: .atomic)
    }

    private func begin() async throws {
        let issued = try await tokens.begin(for: "user", device: "worker")
        say("begun \(issued.session.id) \(issued.refreshToken)")
        guard Bool.random() else { return }
        say("ending \(issued.session.id)")
        try await tokens.end(issued.session.id, of: "user")
        say("ended \(issued.session.id)")
    }

    private func take() async throws {
        let subject = Int.random(in: 0..<Self.limited.count)
        let limit = try RateLimit(burst: Self.limited.burst, interval: .seconds(86_400))
        do throws(AccountError) {
            try await limits.take(limit, name: "work", for: .account("\(subject)"))
            say("taken \(subject)")
        } catch {
            guard error.code == .tooManyRequests else { throw error }
            say("limited \(subject)")
        }
    }

    /// Tries the shared code; after the first success, or now and then, the next one is sent.
    private func check(_ number: Int) async throws {
        let file = "\(folder)/code-\(number)"
        let known = try? String(contentsOfFile: file, encoding: .utf8)
        let words = (known ?? "").split(separator: " ").map(String.init)
        guard words.count == 2, Int.random(in: 0..<12) > 0 else { return try await send(file) }
        let phone = CodeDestination.phone(try PhoneNumber(words[0]))
        do throws(AccountError) {
            try await codes.verify(try code(words[1]), sentTo: phone, for: .signIn)
            say("used \(words[0]) \(words[1])")
        } catch {
            guard error.code == .wrongCode || error.code == .tooManyRequests else { throw error }
            say("unused \(words[0])")
        }
    }

    private func code(_ text: String) throws(AccountError) -> OneTimeCode {
        guard let code = try? OneTimeCode(text) else {
            throw AccountError(.invalidParameter, "A file has no code.")
        }
        return code
    }

    private func send(_ file: String) async throws {
        // No one has had a code there.
        let number = "+1415\(Int.random(in: 2_000_000...9_999_999))"
        let issued = try await codes.issue(
            to: .phone(try PhoneNumber(number)), for: .signIn, from: nil
        ) { (_, _) throws(AccountError) in true }
        say("sent \(number)")
        try Data("\(number) \(issued.code.exposedText)".utf8).write(
            to: URL(fileURLWithPath: file), options: .atomic)
    }

    private func say(_ text: String) {
        output.withLock { try? $0.write(contentsOf: Data((text + "\n").utf8)) }
    }
}
