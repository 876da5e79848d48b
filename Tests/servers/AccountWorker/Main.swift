// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import AccountServers
import Glibc
import SignetAccounts

/// A server that is killed at any moment (`ServerWork`).
///
///     account-worker PLACE FOLDER COUNT
///
/// Or a sign-in with a password, or a new password (`PasswordSignIn`), whose result it prints:
///
///     account-worker sign-in PLACE USER PASSWORD
///     account-worker set-password PLACE USER PASSWORD
///
/// Or an outbox that is emptied into a file, until the process kills itself at a step
/// (`MortalDelivery`). The database's clock stands still at so many milliseconds:
///
///     account-worker deliver WAY DATABASE FILE MILLISECONDS STEP
@main
struct AccountWorker {
    static func main() async {
        // SIGALRM ends a worker that its test has lost track of.
        alarm(3600)
        let arguments = CommandLine.arguments
        if arguments.count == 5, let place = AccountPlace(arguments[2]) {
            return await usePassword(arguments, place: place)
        }
        if arguments.count == 7, let way = MortalDelivery.Way(rawValue: arguments[2]) {
            return await deliver(arguments, way: way)
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

    private static func deliver(_ arguments: [String], way: MortalDelivery.Way) async {
        do {
            let database = try await SQLiteAccounts.open(
                at: arguments[3], busyTimeout: .seconds(600),
                dialect: .sqlite(at: Int64(arguments[5]) ?? 0))
            try await MortalDelivery(
                way, database, file: arguments[4], lastStep: Int(arguments[6])
            ).run()
            print("delivered")
        } catch { print("error \(error)") }
    }
}
