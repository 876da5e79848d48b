// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
import SignetGoTrue
import TestSupport
import Testing

/// The official Python client (`supabase-auth`) goes through its whole life cycle at the service,
/// over a real connection.
@Suite(
    "The official Python client against this service",
    .tags(.interop), .enabled(if: PythonPeer.hasClient || PythonPeer.isRequired))
struct OfficialClientLifeTests {
    @Test("Supabase's client works from sign-up to sign-out, and names each error")
    func life() async throws {
        let front = try await Front(clock: .system) { $0.linkPage = Scene.redirect }
        let program = try PythonPeer.start("official_life")
        let words = try await ClientLife.words(of: program, at: front)
        #expect(program.end() == 0)
        #expect(
            words.filter { !$0.contains("_") || $0 == "id_token" } == [
                "phone", "user", "password", "refresh", "link", "sign-up", "guest", "oauth",
                "oauth",
                "oauth", "id_token", "factors", "pkce", "sign-out",
            ])
        #expect(front.scene.errors.withLock { $0 }.isEmpty)
    }
}
