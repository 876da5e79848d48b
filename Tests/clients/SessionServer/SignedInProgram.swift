// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import SignetSession

/// A program that stays signed in, to be killed or stopped at any moment. It tells each token that
/// it gets, and why it gets none.
package enum SignedInProgram {
    package static func staySignedIn(
        over store: some SecureStore, _ server: StubServer, _ clock: SharedClock
    ) async throws {
        var options = SessionOptions()
        options.refreshesAhead = false
        options.requestTimeout = .seconds(600)
        let manager = try SessionManager(
            store: store, service: "api.example", backend: server, options: options,
            clock: clock.source)
        await manager.start()
        var last = ""
        while true {
            let told: String
            do throws(SessionError) {
                told = "token " + (try await manager.accessToken().exposedText)
            } catch {
                told = "out \(error.code.rawValue)"
            }
            if told != last {
                try? FileHandle.standardOutput.write(contentsOf: Data((told + "\n").utf8))
            }
            last = told
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}
