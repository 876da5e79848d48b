// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetVault

/// The vaults that a command has opened. They are closed when the command ends, so that the file
/// alone is the vault, without a log beside it. The end of the process could only attempt that.
final class OpenedVaults: Sendable {
    @TaskLocal private static var current: OpenedVaults?

    private let closings = Locked<[@Sendable () -> Void]>([])

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
        for close in current?.closings.withLock({ $0 }) ?? [] { close() }
    }

    /// Adds a vault that the running command has opened, and returns it.
    static func add(_ vault: FileVault) -> FileVault {
        add { vault.close() }
        return vault
    }

    /// Adds what closes the vaults that the running command opens.
    static func add(_ close: @escaping @Sendable () -> Void) {
        current?.closings.withLock { $0.append(close) }
    }
}
