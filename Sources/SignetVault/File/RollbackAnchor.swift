// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Remembers a vault's generation outside of its file, which is the only way to notice that an
/// older copy of the whole file was put back.
public protocol RollbackAnchor: Sendable {
    /// The last generation noted for a vault, or nil. Called at each unlock, and
    /// before each write inside its transaction: an anchor must not use the vault that calls it.
    func generation(ofVault id: [UInt8]) throws(StoreError) -> UInt64?

    /// Notes a generation. Called after each committed transaction, while no other may begin: an
    /// anchor must not use the vault that calls it, or it waits for itself for ever. A lower
    /// generation than noted is to be ignored.
    func advance(vault id: [UInt8], to generation: UInt64) throws(StoreError)
}
