// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// The environment of this process.
package enum ProcessEnvironment {
    /// A variable; nil where it is not set, or is no text.
    package static func value(_ name: String) -> String? {
        unsafe getenv(name).flatMap { unsafe String(validatingCString: $0) }
    }
}
