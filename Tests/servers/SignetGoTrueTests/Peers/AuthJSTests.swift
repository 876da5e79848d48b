// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
import SignetGoTrue
import TestSupport
import Testing

/// The official JavaScript client. No package of Debian or PyPI has it: in `packages/core/auth-js`
/// of supabase-js, `esbuild src/index.ts --bundle --platform=node --format=esm
/// --outfile=auth-js.mjs` makes the module.
enum AuthJS {
    static let module = ProcessInfo.processInfo.environment["SIGNET_AUTH_JS"]
}

@Suite(
    "auth-js against this service",
    .tags(.interop),
    .enabled(if: AuthJS.module != nil, "SIGNET_AUTH_JS names no module of auth-js"))
struct AuthJSLifeTests {
    @Test("auth-js works from sign-up to sign-out, and loses no session at a limit")
    func life() async throws {
        let front = try await Front(clock: .system) {
            $0.limits.refreshes = try RateLimit(burst: 60, interval: .seconds(60))
        }
        let program = try Dialogue(
            "/usr/bin/env",
            ["node", Front.path(of: "auth_js_life", "mjs"), try #require(AuthJS.module)])
        let words = try await ClientLife.words(of: program, at: front)
        #expect(program.end() == 0)
        #expect(
            words == [
                "implicit", "pkce", "lost answers", "limit", "factors", "unlinked", "sign-out",
            ])
        #expect(front.scene.errors.withLock { $0 }.isEmpty)
    }
}
