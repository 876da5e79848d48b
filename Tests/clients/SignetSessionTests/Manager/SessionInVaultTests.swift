// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import SignetBase
import SignetSessionTesting
import TestSupport
import Testing

/// A session in a real vault that is locked or full, or whose machine's clock changes.
@Suite("A session in a vault")
struct SessionInVaultTests {
    @Test("Locking and unlocking a vault keeps the same session")
    func locked() async throws {
        let folder = try PrivateFolder()
        let method = try KeyFileUnlock.create(at: folder.path + "/key")
        let vault = try FileVault.create(at: folder.path + "/vault", with: method)
        let fixture = ManagerFixture(vault)
        let manager = try await fixture.signedIn()
        let token = try await manager.accessToken()
        try vault.lock()
        #expect(try await fixture.manager().start() == .locked)
        fixture.clock.advance(by: .seconds(3400))
        #expect(await manager.tokenFailure() == .locked)
        fixture.clock.advance(by: .seconds(300))
        #expect(await manager.tokenFailure() == .locked)
        #expect(fixture.server.exchangeCount == 0)
        try vault.unlock(with: method)
        #expect(await manager.start().isSignedIn)
        #expect(try await manager.accessToken() != token)
        #expect(fixture.server.exchangeCount == 1)
    }

    @Test("A program that asks for a finger tells the person why the vault stayed locked")
    func biometry() throws {
        let folder = try PrivateFolder()
        let method = try KeyFileUnlock.create(at: folder.path + "/key")
        let vault = try FileVault.create(at: folder.path + "/vault", with: method)
        try vault.lock()
        let gone = KeyFileUnlock(path: folder.path + "/none")
        let other = try KeyFileUnlock.create(at: folder.path + "/other")
        let sentences: [(any UnlockMethod, String)] = [
            (gone, "Biometric authentication is not available on this device"),
            (other, "Biometric authentication failed"),
        ]
        for (method, sentence) in sentences {
            do throws(StoreError) {
                try vault.unlock(with: method)
                Issue.record("it is unlocked")
            } catch {
                #expect(error.biometryMessage == sentence, "\(error)")
            }
        }
        let cancelled = StoreError(.cancelled, "")
        #expect(cancelled.biometryMessage == "Authentication was cancelled")
        #expect(StoreError(.corrupt, "").biometryMessage == nil)
    }

    @Test("An app lock hides even a good token, after a time and on demand")
    func appLock() async throws {
        let folder = try PrivateFolder()
        let method = try KeyFileUnlock.create(at: folder.path + "/key")
        let clock = ManualClock()
        var options = VaultOptions()
        options.autoLockSeconds = 300
        options.clock = clock.source
        let vault = try FileVault.create(
            at: folder.path + "/vault", with: method, options: options)
        let fixture = ManagerFixture(vault, clock: clock)
        let manager = try await fixture.signedIn(refreshesAhead: true)
        let token = try await manager.accessToken()
        for locksByTime in [true, false] {
            if locksByTime {
                clock.advance(by: .seconds(301))
                #expect(try vault.isLocked())
            } else {
                try vault.lock()
            }
            try await until { manager.state == .locked }
            #expect(await manager.tokenFailure() == .locked)
            guard case .ready(let way)? = try vault.unlockOffers([method]).first?.way else {
                Issue.record("no way in is offered")
                return
            }
            try vault.unlock(with: way)
            try await until { manager.state.isSignedIn }
            #expect(try await manager.accessToken() == token)
        }
        #expect(fixture.server.exchangeCount == 0)
    }

    @Test(
        "A full disk is found out before a token is spent, and there is one exchange once there is room"
    )
    func full() async {
        await #expect(processExitsWith: .success) {
            let folder = try PrivateFolder()
            let vault = try FileVault.create(
                at: folder.path + "/vault",
                with: KeyFileUnlock.create(at: folder.path + "/key"))
            let fixture = ManagerFixture(vault)
            let manager = try await fixture.signedIn()
            _ = signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 1, rlim_max: rlim_t.max)
            #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            fixture.clock.advance(by: .seconds(3700))
            for _ in 0..<3 {
                #expect(await manager.tokenFailure() == .unavailable)
                #expect(manager.state.isSignedIn)
                fixture.clock.advance(by: .seconds(120))
            }
            #expect(fixture.server.exchangeCount == 0, "\(fixture.server.exchangeCount)")
            limit.rlim_cur = rlim_t.max
            #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
            let token = try await manager.accessToken()
            #expect(fixture.server.exchangeCount == 1)
            let next = try fixture.manager()
            #expect(await next.start().isSignedIn)
            #expect(try await next.accessToken() == token)
        }
    }

    @Test(
        "Changing the clock keeps the session and its tokens",
        arguments: [-86_400 * 365, -3600, -1, 1, 3600, 86_400 * 365, 86_400 * 36_500])
    func clock(_ seconds: Int) async throws {
        let folder = try PrivateFolder()
        let vault = try FileVault.create(
            at: folder.path + "/vault", with: KeyFileUnlock.create(at: folder.path + "/key"))
        let fixture = ManagerFixture(vault)
        let manager = try await fixture.signedIn()
        for jump in [seconds, -seconds, seconds] {
            fixture.clock.now = NumericDate(
                secondsSince1970: fixture.clock.now.secondsSince1970 + Double(jump))
            #expect(await manager.tokenFailure() == nil)
            let next = try fixture.manager()
            #expect(await next.start().isSignedIn)
            #expect(await next.tokenFailure() == nil)
        }
        #expect(fixture.server.exchangeCount <= 6, "\(fixture.server.exchangeCount)")
    }
}
