// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetAccounts
import SignetGoTrue
import TestSupport
import Testing

/// The official Swift client. This package does not depend on it: `Scripts/SupabaseSwift` says how
/// its driver is built.
enum SupabaseSwift {
    static let driver = ProcessInfo.processInfo.environment["SIGNET_SUPABASE_SWIFT"]
}

@Suite(
    "supabase-swift against this service",
    .tags(.interop),
    .enabled(if: SupabaseSwift.driver != nil, "SIGNET_SUPABASE_SWIFT names no driver of it"))
struct SupabaseSwiftLifeTests {
    @Test("supabase-swift works from sign-up to sign-out, with a second factor in between")
    func life() async throws {
        let front = try await Front(clock: .system) { $0.linkPage = Scene.redirect }
        let program = try Dialogue(try #require(SupabaseSwift.driver), [])
        let words = try await ClientLife.words(of: program, at: front)
        #expect(program.end() == 0)
        #expect(
            words == [
                "implicit", "pkce", "phone", "address", "link", "lost answers", "browser",
                "provider", "factors", "unlinked", "sign-out",
            ])
        #expect(front.scene.errors.withLock { $0 }.isEmpty)
    }
}
