// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetVault

/// The vaults that a command has opened. They are closed when the command ends, so that the file
/// alone is the vault, without a log beside it. The end of the process could only attempt that.
final class OpenedVaults: Sendable {
    @TaskLocal private static var current: OpenedVaults?

    private let vaults = Locked<[FileVault]>([])

    /// Runs a command's body and closes what it has opened.
    static func closing<R>(_ body: () throws -> R) rethrows -> R {
        let opened = OpenedVaults()
        return try $current.withValue(opened) {
            defer { close() }
            return try body()
        }
    }

    /// Closes what the running command has opened.
    static func close() {
        for vault in current?.vaults.withLock({ $0 }) ?? [] { vault.close() }
    }

    /// Adds a vault that the running command has opened, and returns it.
    static func add(_ vault: FileVault) -> FileVault {
        current?.vaults.withLock { $0.append(vault) }
        return vault
    }
}
