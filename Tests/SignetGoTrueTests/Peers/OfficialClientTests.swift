// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
import SignetGoTrue
import TestSupport
import Testing

/// The official Python client (`supabase-auth`) goes through its whole life cycle at the service,
/// over a real connection.
@Suite(.tags(.interop), .enabled(if: PythonPeer.hasClient || PythonPeer.isRequired))
struct OfficialClientLifeTests {
    @Test("Supabase's client works from sign-up to sign-out, and names each error")
    func life() async throws {
        let front = try await Front(clock: .system)
        let program = try PythonPeer.start("official_life")
        let words = try await ClientLife.words(of: program, at: front)
        #expect(program.end() == 0)
        #expect(
            words.filter { !$0.contains("_") || $0 == "id_token" } == [
                "phone", "user", "password", "refresh", "sign-up", "guest", "oauth", "oauth",
                "oauth", "id_token", "pkce", "sign-out",
            ])
        #expect(front.scene.errors.withLock { $0 }.isEmpty)
    }
}

/// The official JavaScript client (auth-js), where there is one: no package of Debian or PyPI has
/// it. In `packages/core/auth-js` of supabase-js,
/// `esbuild src/index.ts --bundle --platform=node --format=esm --outfile=auth-js.mjs` makes its
/// module.
@Suite(
    .tags(.interop),
    .enabled(if: AuthJSLifeTests.module != nil, "SIGNET_AUTH_JS names no module of auth-js"))
struct AuthJSLifeTests {
    static let module = ProcessInfo.processInfo.environment["SIGNET_AUTH_JS"]

    @Test("auth-js works from sign-up to sign-out, and loses no session with an answer or at a limit")
    func life() async throws {
        let front = try await Front(clock: .system) {
            $0.limits.refreshes = try RateLimit(burst: 60, interval: .seconds(60))
        }
        let program = try Dialogue(
            "/usr/bin/env",
            ["node", Front.path(of: "auth_js_life", "mjs"), try #require(Self.module)])
        let words = try await ClientLife.words(of: program, at: front)
        #expect(program.end() == 0)
        #expect(words == ["implicit", "pkce", "lost answers", "limit", "sign-out"])
        #expect(front.scene.errors.withLock { $0 }.isEmpty)
    }
}
