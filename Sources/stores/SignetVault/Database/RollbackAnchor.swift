// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Remembers a vault's generation outside its file, which is the only way to notice that an older
/// copy of the whole file was restored.
public protocol RollbackAnchor: Sendable {
    /// Called when a vault is opened or created to be written, before anything else. Throw if the
    /// place cannot keep notes, or if two processes could lose each other's notes. By default
    /// nothing is checked.
    func checkPlace() throws(StoreError)

    /// The last generation noted for a vault, or nil. Called at each unlock, and before each write
    /// inside its transaction: an anchor must not use the vault that calls it.
    func generation(ofVault id: [UInt8]) throws(StoreError) -> UInt64?

    /// Notes a generation. Called after each committed transaction, before the next transaction may
    /// begin: an anchor that uses the vault that calls it waits for itself forever. Also called at
    /// an unlock that finds a generation other than the noted generation; `busy` does not fail the
    /// unlock. Ignore a generation that is lower than the noted generation.
    func advance(vault id: [UInt8], to generation: UInt64) throws(StoreError)

    /// Notes a generation that may be lower: the caller says that a backup was restored
    /// (``VaultOptions/acceptsRestored``). By default it is `unsupported`.
    func lower(vault id: [UInt8], to generation: UInt64) throws(StoreError)
}

extension RollbackAnchor {
    /// Checks nothing.
    public func checkPlace() throws(StoreError) {}

    /// Throws `unsupported`.
    public func lower(vault id: [UInt8], to generation: UInt64) throws(StoreError) {
        throw StoreError(
            .unsupported, "This anchor takes no lower generation: a restored vault needs another.")
    }
}
