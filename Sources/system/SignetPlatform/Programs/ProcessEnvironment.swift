// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// The environment of this process.
package enum ProcessEnvironment {
    /// A variable; nil if it is not set or not text.
    package static func value(_ name: String) -> String? {
        unsafe getenv(name).flatMap { unsafe String(validatingCString: $0) }
    }

    /// A variable that names a file or a folder, whatever its bytes are (``PathText``); nil if it
    /// is not set.
    ///
    /// - Parameter environment: replaces the process's own in tests.
    package static func path(_ name: String, in environment: [String: String]? = nil) -> String? {
        if let environment { return environment[name] }
        return unsafe getenv(name).map { unsafe PathText.text(ofCString: $0) }
    }
}
