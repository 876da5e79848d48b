// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Who the commands are run as where the tests run as root, who sees every process.
enum OrdinaryUser {
    /// Whether that user can run the built program: not if the toolchain's libraries are root's.
    static let isPossible = (try? run(CommandFolder(), "\"$SIGNET\" --version").status) == 0

    /// Runs a script in a folder that is given to that user, with a copy of the program, because the
    /// folder in which it was built is closed to others.
    static func run(_ folder: CommandFolder, _ script: String) throws -> Outcome {
        try folder.write("script", "SIGNET=$PWD/signet\n" + script)
        let user =
            getuid() == 0
            ? "chown -R 65534:65534 .; setpriv --reuid 65534 --regid 65534 --clear-groups " : ""
        return try folder.bash("cp \"$SIGNET\" signet; \(user)bash script")
    }
}
