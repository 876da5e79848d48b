// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Engine
import Foundation
import SignetAccounts
import SignetAccountsTesting
import Testing

@Suite("An engine of another package keeps what accounts promise", .timeLimit(.minutes(20)))
struct EngineTests {
    @Test(
        "Each check passes, on one file between two objects", arguments: AccountDatabaseChecks.all)
    func check(_ check: AccountCheck) async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(component: "engine-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(component: "accounts").path
        try await check.run(on: Engine.open(at: path), beside: Engine.open(at: path))
    }
}
