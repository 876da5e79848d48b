// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// The environment of this process.
package enum ProcessEnvironment {
    /// A variable; nil if it is not set or not text.
    package static func value(_ name: String) -> String? {
        unsafe getenv(name).flatMap { unsafe String(validatingCString: $0) }
    }
}
