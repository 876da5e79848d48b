// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetVault
import SignetVaultTesting
import TestSupport
import Testing

struct FileVaultConformanceTests {
    @Test(
        "A vault in a file keeps the contract of stores",
        arguments: StoreConformance.checks(for: .all))
    func keepsTheContract(_ check: StoreCheck) async throws {
        let folder = try VaultFolder()
        let vault = try folder.vault()
        try await check.run(on: vault, beside: folder.another()) {
            try vault.unlock(with: VaultFolder.key(1))
        }
        let report = try vault.verify()
        #expect(report.isClean)
        #expect(report.itemCount == 0)
    }
}
