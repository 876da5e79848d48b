// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import Glibc

/// A server that is killed at any moment (`ServerWork`).
///
///     account-worker PLACE FOLDER COUNT
///
/// Or a sign-in with a password, or a new password (`PasswordSignIn`), whose result it prints:
///
///     account-worker sign-in PLACE USER PASSWORD
///     account-worker set-password PLACE USER PASSWORD
@main
struct AccountWorker {
    static func main() async {
        // SIGALRM ends a worker that its test has lost track of.
        alarm(3600)
        let arguments = CommandLine.arguments
        if arguments.count == 5, let place = AccountPlace(arguments[2]) {
            return await usePassword(arguments, place: place)
        }
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

    private static func usePassword(_ arguments: [String], place: AccountPlace) async {
        do {
            let node = try PasswordSignIn(try await place.open())
            let isNew = arguments[1] == "set-password"
            print(
                isNew
                    ? await node.set(arguments[4], of: arguments[3])
                    : await node.signIn(arguments[3], arguments[4]))
        } catch { print("error \(error)") }
    }
}
