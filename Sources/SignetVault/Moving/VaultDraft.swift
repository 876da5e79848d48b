// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// An unfinished vault file, beside its future name.
struct VaultDraft: Sendable {
    let path: String
    private let location: VaultPlace.Location

    init(for path: String) throws(StoreError) {
        location = try StoreError.placing { () throws(VaultPlaceFailure) in
            try VaultPlace.inspect(path: path)
        }
        guard location.identity == nil else {
            throw StoreError(
                .alreadyExists,
                "There is a file at \(SystemFailure.quoted(path)) already: choose another name for the new one."
            )
        }
        // 64 random bits; creating the vault fails if the name is taken.
        let name = ".signet-\(String(UInt64.random(in: .min ... .max), radix: 16)).export"
        self.path = location.folder == "/" ? "/\(name)" : "\(location.folder)/\(name)"
    }

    func publish() throws(StoreError) {
        try StoreError.placing { () throws(VaultPlaceFailure) in
            try VaultPlace.publish(temporary: path, as: location)
        }
    }

    func remove() { VaultPlace.removeTemporary(path) }
}
