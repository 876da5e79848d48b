// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension FileVault {
    /// Verifies everything before work that goes through the whole vault and must not stop halfway.
    ///
    /// - Throws: `corrupt` with the first damage that the verification finds.
    func requireUndamaged(progress: ((Int, Int) -> Void)? = nil) throws(StoreError) {
        guard let finding = try verify(progress: progress).findings.first else { return }
        throw StoreError(
            .corrupt,
            "The vault is damaged (\(shown: finding.place)): \(reported: finding.problem) Nothing was changed. "
                + "Restore a backup, or salvage what is whole."
        )
    }
}
