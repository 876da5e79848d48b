// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

extension StoreError: PassingFailure {
    /// Whether the store may answer later, without a change to the program.
    package var mayPass: Bool {
        switch code {
        case .locked, .unavailable, .busy, .timedOut, .cancelled, .missingKeyFile: true
        default: false
        }
    }
}
