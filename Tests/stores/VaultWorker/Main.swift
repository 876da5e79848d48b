// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Glibc
import SignetCrypto
import SignetVault

/// What the fault tests kill or look into from outside: one process, one task, named by the first argument.
///
///     vault-worker write  VAULT KEYFILE NAME SEED [BYTES] writes items until it is killed; a line for each write that was kept
///     vault-worker rotate VAULT KEYFILE             rotates the data key again and again
///     vault-worker slots  VAULT KEYFILE             adds a slot, replaces and removes it, again and again
///     vault-worker compact VAULT KEYFILE            compacts the vault again and again
///     vault-worker restore BACKUP VAULT             puts a backup in place of a vault
///     vault-worker set VAULT KEYFILE VALUE sets one item and ends without closing the vault
///     vault-worker count VAULT KEYFILE WITNESS GOAL counts to the goal, with exclusive access
///     vault-worker hold VAULT KEYFILE has exclusive access to one item until it is killed
///     vault-worker room DISK reserves room for writes on a disk that it fills
///     vault-worker reserve VAULT KEYFILE WRITES writes, reserves room, and is killed
///     vault-worker look VAULT KEYFILE opens a vault, reads and closes it
///     vault-worker once VAULT KEYFILE has exclusive access to one item, if it is free
///     vault-worker anchor ANCHOR COUNT notes generations in an anchor that others use
///     vault-worker export VAULT KEYFILE OUTPUT exports, and stands still in the middle
///     vault-worker full DISK removes items and compacts on a disk that is full
///     vault-worker temporaries DISK FOLDER compacts a vault whose temporary files have no room
///     vault-worker scan VAULT uses a vault, locks it, and looks for the secrets in its own memory
@main
struct VaultWorker {
    /// Waits for the others as long as it lives: a busy machine is not the vault's fault.
    static var options: VaultOptions {
        var options = VaultOptions()
        options.busyTimeoutMilliseconds = 600_000
        return options
    }

    static func main() async {
        // The test that reads its lines waits for them: SIGALRM ends a worker that hangs.
        alarm(600)
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.first {
            case "write" where arguments.count == 5 || arguments.count == 6:
                try Writing(arguments).run()
            case "rotate" where arguments.count == 3:
                try Turning.rotate(arguments[1], arguments[2])
            case "slots" where arguments.count == 3:
                try Turning.slots(arguments[1], arguments[2])
            case "compact" where arguments.count == 3:
                try Turning.compact(arguments[1], arguments[2])
            case "restore" where arguments.count == 3:
                try FileVault.restore(from: arguments[1], to: arguments[2], options: options)
            case "set" where arguments.count == 4:
                try Leaving.run(arguments[1], arguments[2], arguments[3])
            case "open-or-create" where arguments.count == 4:
                try Opening.run(arguments[1], arguments[2], arguments[3])
            case "count" where arguments.count == 5:
                try await Excluding(arguments).run()
            case "once" where arguments.count == 3:
                try await Excluding.once(arguments[1], arguments[2])
            case "hold" where arguments.count == 3:
                try await Excluding.hold(arguments[1], arguments[2])
            case "room" where arguments.count == 2:
                try Room.run(arguments[1])
            case "reserve" where arguments.count == 4:
                try Room.leave(arguments[1], arguments[2], writes: Int(arguments[3]) ?? 0)
            case "look" where arguments.count == 3:
                try Room.look(arguments[1], arguments[2])
            case "anchor" where arguments.count == 3:
                try Noting.run(arguments[1], count: UInt64(arguments[2]) ?? 0)
            case "export" where arguments.count == 4:
                try await Leaving.export(arguments[1], arguments[2], to: arguments[3])
            case "full" where arguments.count == 2:
                try FullDisk(disk: arguments[1]).run()
            case "temporaries" where arguments.count == 3:
                try FullTemporaries.run(disk: arguments[1], folder: arguments[2])
            case "scan" where arguments.count == 2:
                try MemoryScan.run(vault: arguments[1])
            default:
                Line.write(
                    "usage: vault-worker write|rotate|slots|compact|restore|set|open-or-create|count|hold|once|room|reserve|look|anchor|export|full|temporaries|scan …"
                )
            }
        } catch {
            Line.write("error \(error)")
        }
    }
}
