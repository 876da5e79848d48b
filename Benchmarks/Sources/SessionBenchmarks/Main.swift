// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import BenchmarkSupport
import Foundation
import SignetCrypto
import SignetSession

/// What a client's session costs: the start of a program, a token in hand, an exchange that many
/// wait for, memory.
@main struct SessionBenchmarks {
    static func main() async {
        do {
            let place = try Place()
            defer { place.remove() }
            let before = residentByteCount()
            let (managers, start) = try await starts(place, count: 50)
            let memory = (residentByteCount() - before) / managers.count
            let inHand = try await tokenInHand(managers[0])
            let exchange = try await exchanges(place, managers, periods: 50)
            print("\(Environment.line())\n")
            print(
                Figures.table(
                    ["", "Median"],
                    [
                        ["Open a vault, unlock with a raw key, `start()`", Figures.time(start)],
                        ["`accessToken()`, good and in hand", Figures.time(inHand)],
                        [
                            "100 tasks of 50 managers wait for one exchange and its write",
                            Figures.time(exchange.time),
                        ],
                        ["Exchanges in 50 such periods", "\(exchange.count)"],
                        ["Memory for a manager with its vault open", Figures.size(memory)],
                    ]))
        } catch {
            Figures.progress("The benchmark failed: \(error)")
            exit(1)
        }
    }

    /// A program's start, again and again, with the files in the system's cache.
    private static func starts(
        _ place: Place, count: Int
    ) async throws -> ([SessionManager], Double) {
        try await place.manager().adopt(place.server.grant(1))
        var managers: [SessionManager] = []
        var times: [Double] = []
        for _ in 0..<count {
            let start = ContinuousClock.now
            let manager = try place.manager()
            let state = await manager.start()
            times.append((ContinuousClock.now - start).nanoseconds)
            guard case .signedIn = state else { throw Failure(what: "start") }
            managers.append(manager)
        }
        return (managers, median(times))
    }

    private static func tokenInHand(_ manager: SessionManager) async throws -> Double {
        var times: [Double] = []
        for _ in 0..<50 {
            let start = ContinuousClock.now
            for _ in 0..<1000 { keep(try await manager.accessToken()) }
            times.append((ContinuousClock.now - start).nanoseconds / 1000)
        }
        return median(times)
    }

    /// All are asked at once when the token is due; the last to have the next one ends the period.
    private static func exchanges(
        _ place: Place, _ managers: [SessionManager], periods: Int
    ) async throws -> (time: Double, count: Int) {
        var times: [Double] = []
        for _ in 0..<periods {
            place.clock.advance(by: .seconds(3400))
            let start = ContinuousClock.now
            let tokens = try await withThrowingTaskGroup(of: String.self) { group in
                for manager in managers + managers {
                    group.addTask { try await manager.accessToken().exposedText }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            times.append((ContinuousClock.now - start).nanoseconds)
            guard tokens.count == 1 else { throw Failure(what: "tokens") }
        }
        return (median(times), place.server.count)
    }

    private static func residentByteCount() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        return pages * 4096
    }
}

struct Failure: Error { let what: String }

/// A vault with a raw key, a clock, and a server that answers at once.
struct Place {
    let clock = ManualClock()
    let server = Server()
    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "signet-bench-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        guard unsafe setenv("XDG_STATE_HOME", folder, 1) == 0 else { throw Failure(what: "setenv") }
        try FileVault.create(at: folder + "/vault", with: Self.key).close()
    }

    func remove() { try? FileManager.default.removeItem(atPath: folder) }

    func manager() throws -> SessionManager {
        let vault = try FileVault.open(at: folder + "/vault")
        try vault.unlock(with: Self.key)
        var options = SessionOptions()
        options.refreshesAhead = false
        return try SessionManager(
            store: vault, service: "api.example", backend: server, options: options,
            clock: clock.source)
    }

    private static var key: RawKeyUnlock {
        RawKeyUnlock(SecretKey(copying: [UInt8](repeating: 0x2A, count: 32)))
    }
}

final class Server: SessionBackend {
    private let exchanges = Counter()

    var count: Int { exchanges.value }

    func grant(_ number: Int) throws(SessionError) -> SessionGrant {
        try SessionGrant(
            accessToken: AccessToken("access-\(number)"),
            refreshToken: RefreshToken("refresh-\(number)"), lifetime: .seconds(3600),
            userID: "user-1")
    }

    func refresh(_ token: RefreshToken) async throws(SessionError) -> SessionGrant {
        try grant(exchanges.increment() + 1)
    }

    func signOut(_ tokens: SessionTokens, scope: SignOutScope) async throws(SessionError) {}
}
