// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What differs from one client to another: for tests, and for the time that a thread waits for
/// more work.
package struct CurlSettings: Sendable {
    /// A file with the certificates of authorities in place of the system's.
    package var authorities: String?
    /// Where names lead, as `host:port:address`, in place of what the system says.
    package var addresses: [String] = []
    /// How long the thread stays when nothing is asked.
    package var idleTime = Duration.seconds(30)
    /// At one time to one host and port; others wait for their turn, and their time passes
    /// meanwhile.
    package var maximumConnectionsPerHost = 6

    package init() {}
}
