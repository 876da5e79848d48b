// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import Glibc

/// A server that is killed at any moment (`ServerWork`).
///
///     account-worker PLACE FOLDER COUNT
@main
struct AccountWorker {
    static func main() async {
        // SIGALRM ends a worker that its test has lost track of.
        alarm(3600)
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let count = Int(arguments[3]),
            let place = AccountPlace(arguments[1])
        else { return print("usage: account-worker PLACE FOLDER COUNT") }
        while true {
            do {
                let database = try await place.open()
                try await ServerWork(place, database, folder: arguments[2], clients: count).serve()
            } catch {
                guard place.losesConnections else { return print("error \(error)") }
                // The server is starting again.
                usleep(100_000)
            }
        }
    }
}
