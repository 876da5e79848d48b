// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SystemBridge

extension StoreError {
    /// Runs `body` and turns what is wrong with a place into this module's error.
    static func placing<R>(_ body: () throws(VaultPlaceFailure) -> R) throws(StoreError) -> R {
        do throws(VaultPlaceFailure) {
            return try body()
        } catch {
            let code: Code =
                switch error.kind {
                case .taken: .alreadyExists
                case .invalidPath: .invalidParameter
                default: error.isInsecure ? .insecureFile : .unavailable
                }
            throw StoreError(code, "\(error)")
        }
    }
}
