// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The version of this package.
package enum SignetVersion {
    package static let current = "0.1.0"
}
