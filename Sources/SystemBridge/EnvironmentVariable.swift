// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// What this process was given in its environment.
package enum EnvironmentVariable {
    /// The value of `name`; nil when there is none.
    ///
    /// Not to be called while another thread changes the environment: C offers no way to make that safe.
    package static func value(of name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
