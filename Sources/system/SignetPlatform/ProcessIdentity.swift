// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// Which process this is.
package enum ProcessIdentity {
    /// The process's number. It differs in a child of `fork`, which must not use open databases and
    /// locks.
    package static var current: Int32 { getpid() }
}
