// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The programs that these tests run.
enum Program {
    /// The command itself.
    static let signet = BuiltProgram.path("signet")

    /// The figures, which are installed as well.
    static let figures =
        URL(fileURLWithPath: signet).deletingLastPathComponent().path
        + "/signet_TestVectors.resources/Figures"

    static let timeout = find("timeout") ?? "/usr/bin/timeout"
    static let openssl = find("openssl")
    static let python = find("python3")

    /// Whether a keyring of the tests' own can be started.
    static let keyring = find("dbus-run-session") != nil && find("gnome-keyring-daemon") != nil

    /// Whether a missing program is a failure: it is where CI depends on these tests.
    static let isRequired = ProcessInfo.processInfo.environment["SIGNET_REQUIRE_INTEROP"] == "1"

    static func isHere(_ name: String) -> Bool { find(name) != nil }

    private static func find(_ name: String) -> String? {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        return folders.map { "\($0)/\(name)" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }
}
