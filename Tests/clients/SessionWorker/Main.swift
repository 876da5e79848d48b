// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import SessionServer
import SignetSession

/// A program that stays signed in, to be killed at any moment.
///
///     session-worker KIND FOLDER
///     session-worker full FOLDER DISK
///
/// The folder has a vault with its key, the clock, and the server's database. Told are each token
/// that it gets, and a session that is over. The second form is `FullDisk`.
@main
struct SessionWorker {
    static func main() async {
        // SIGALRM ends a worker that its test has lost track of.
        alarm(1200)
        let arguments = CommandLine.arguments
        if arguments.count == 4 {
            do {
                try await FullDisk(folder: arguments[2], disk: arguments[3]).run()
            } catch {
                say("error \(error)")
            }
            return
        }
        guard arguments.count == 3, let kind = StubServer.Kind(rawValue: arguments[1]) else {
            return say("usage: session-worker goTrue|strict|noGrace FOLDER")
        }
        do {
            try await staySignedIn(kind, arguments[2])
        } catch {
            say("error \(error)")
        }
    }

    private static func staySignedIn(_ kind: StubServer.Kind, _ folder: String) async throws {
        let clock = SharedClock(folder: folder)
        let server = StubServer(kind, folder: folder, clock: clock)
        var vaultOptions = VaultOptions()
        vaultOptions.busyTimeoutMilliseconds = 600_000
        let vault = try FileVault.open(at: folder + "/vault", options: vaultOptions)
        try vault.unlock(with: KeyFileUnlock(path: folder + "/key"))
        try await SignedInProgram.staySignedIn(over: vault, server, clock)
    }

    private static func say(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data((text + "\n").utf8))
    }
}
