// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// The processors of this machine.
package enum SystemProcessors {
    /// The number that is online; 1 if the system does not say.
    package static var count: Int { max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN))) }
}
