// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ

/// The environment of this process, from which libpq completes a connection.
package enum PGEnvironment {
    /// A variable; nil if it is not set or not text.
    package static func value(_ name: String) -> String? {
        unsafe cpq_variable(name).flatMap { unsafe String(validatingCString: $0) }
    }
}
