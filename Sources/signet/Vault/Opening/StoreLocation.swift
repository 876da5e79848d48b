// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import ArgumentParser

/// One side of a migration: `file`, `file:PATH`, `secret-service` or `secret-service:COLLECTION`.
enum StoreLocation: ExpressibleByArgument, Equatable {
    /// A vault in a file; nil is the usual one.
    case file(String?)
    /// A collection of the desktop's keyring; nil is its default one.
    case secretService(String?)

    init?(argument: String) {
        let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.count == 2 ? String(parts[1]) : nil
        guard name != "" else { return nil }
        switch parts.first {
        case "file": self = .file(name)
        case "secret-service": self = .secretService(name)
        default: return nil
        }
    }
}
