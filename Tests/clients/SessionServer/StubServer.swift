// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
package import SignetSession

/// An authorization server as a file: what it has written has happened, whether or not the caller
/// lives to hear the answer.
package final class StubServer: SessionBackend {
    package enum Kind: String, Sendable, CaseIterable {
        /// The parent of the active token always gets the active one.
        case goTrue
        /// A used token gets its successor again for 10 s from its first use.
        case strict
        /// A used token ends its family.
        case noGrace
    }

    /// Sessions, by the numbers of their families, and what was done.
    package struct Record: Codable, Sendable {
        var active: [Int: Int] = [:]
        var usedAt = 0
        package var rotations = 0
        package var repeats = 0
        package var ended = 0
        /// Why families ended.
        package var reasons: [String] = []

        package init() {}

        /// The family that is signed in.
        package var family: Int? { active.keys.max() }
    }

    private struct Failure: Error {}

    private let kind: Kind
    private let path: String
    private let clock: SharedClock

    package init(_ kind: Kind, folder: String, clock: SharedClock) {
        self.kind = kind
        path = folder + "/server"
        self.clock = clock
    }

    /// A new family, and its first tokens.
    package func signIn() throws -> SessionGrant {
        let family = try change { record -> Int in
            let family = record.active.count + record.ended + 1
            record.active[family] = 1
            return family
        }
        return try grant(family, 1)
    }

    /// Keeps answers from travelling: what was asked has happened here.
    package func hold() throws { try Data().write(to: URL(fileURLWithPath: path + ".held")) }

    package func release() throws { try FileManager.default.removeItem(atPath: path + ".held") }

    package func record() throws -> Record { try change { $0 } }

    /// Which process got which token, as `PROCESS FAMILY-NUMBER`.
    package func answers() -> Set<String> {
        let text = (try? String(contentsOfFile: path + ".answers", encoding: .utf8)) ?? ""
        return Set(text.split(separator: "\n").map(String.init))
    }

    package func refresh(_ token: RefreshToken) async throws(SessionError) -> SessionGrant {
        let parts = token.exposedText.split(separator: "-").compactMap { Int($0) }
        let now = clock.seconds()
        let active: Int?
        do {
            active = try change { exchange(parts[0], parts[1], at: now, in: &$0) }
        } catch {
            throw SessionError(.serverFailed, underlying: error, "The stub failed.")
        }
        // The answer is on its way: a process may be killed before it arrives.
        try? await Task.sleep(for: .microseconds(Int.random(in: 0...3000)))
        while FileManager.default.fileExists(atPath: path + ".held") {
            try? await Task.sleep(for: .milliseconds(1))
        }
        guard let active else { throw SessionError(.refused, "The session is over.") }
        return try grant(parts[0], active)
    }

    package func signOut(_ tokens: SessionTokens, scope: SignOutScope) async throws(SessionError) {}

    private func exchange(
        _ family: Int, _ number: Int, at now: Int, in record: inout Record
    ) -> Int? {
        guard let active = record.active[family] else { return nil }
        if number == active {
            note("\(getpid()) \(family)-\(active + 1)\n")
            record.active[family] = active + 1
            record.usedAt = now
            record.rotations += 1
            return active + 1
        }
        let isForgiven =
            switch kind {
            case .goTrue: true
            case .strict: now - record.usedAt < 10
            case .noGrace: false
            }
        guard number == active - 1, isForgiven else {
            record.active[family] = nil
            record.ended += 1
            record.reasons.append("\(number) of \(active), \(now - record.usedAt) s after its use")
            return nil
        }
        record.repeats += 1
        return active
    }

    /// Before it happens: a process that is killed in between is counted once too often.
    private func note(_ line: String) {
        let file = unsafe open(path + ".answers", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        let octets = Array(line.utf8)
        _ = unsafe write(file, octets, octets.count)
        close(file)
    }

    private func grant(_ family: Int, _ number: Int) throws(SessionError) -> SessionGrant {
        try SessionGrant(
            accessToken: AccessToken("\(family)-\(number)"),
            refreshToken: RefreshToken("\(family)-\(number)"), lifetime: .seconds(600),
            userID: "user-1")
    }

    /// One process at a time; a process that is killed has changed all or nothing.
    private func change<R>(_ body: (inout Record) throws -> R) throws -> R {
        let lock = unsafe open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(lock) }
        guard lock >= 0, flock(lock, LOCK_EX) == 0 else { throw Failure() }
        let url = URL(fileURLWithPath: path)
        let kept = FileManager.default.contents(atPath: path)
        var record = try kept.map { try JSONDecoder().decode(Record.self, from: $0) } ?? Record()
        let result = try body(&record)
        try JSONEncoder().encode(record).write(to: url, options: .atomic)
        return result
    }
}
