// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// Which process this is.
package enum ProcessIdentity {
    /// The process's number: another one in a child of `fork`, where open databases and locks must
    /// not be used.
    package static var current: Int32 { getpid() }
}
