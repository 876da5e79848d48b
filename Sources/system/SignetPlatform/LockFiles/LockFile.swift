// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// An empty file that one holder at a time locks (`flock`), among all processes of this user on
/// this machine that find it in the same ``LockFolder``.
///
/// Each object opens the file again, so two tasks of one process also exclude each other. The
/// system frees the lock when its holder ends, unless a child of `fork` still has the file. The
/// file is never removed, because removing it while it is held lets a second holder in. Network
/// file systems are not supported: there `flock` may hold only within each machine.
package final class LockFile: Sendable {
    private struct State {
        var file: OpenLockFile?
        var isLocked = false
    }

    let path: String
    private let state: Locked<State>
    private let process = ProcessIdentity.current

    /// Opens the file, or creates it for its owner alone, without locking it.
    ///
    /// - Parameter name: the file's name: 1 to 64 hexadecimal digits.
    /// - Throws: a failure with `isInsecure` if the file or a folder belongs to another user or is
    ///   open to other users, or if it is not a regular file; `invalidPath` for any other name.
    package init(
        named name: String, in folder: LockFolder = LockFolder()
    ) throws(PrivatePlaceFailure) {
        guard (1...64).contains(name.utf8.count),
            name.utf8.allSatisfy({ $0.hexadecimalValue != nil })
        else {
            throw PrivatePlaceFailure(
                .invalidPath, path: name, reason: "a lock's name is of hexadecimal digits")
        }
        path = "\(try folder.prepared())/\(name)"
        state = Locked(State(file: try OpenLockFile(path)))
    }

    deinit { release() }

    /// Locks the file without waiting, unless another holder has the lock.
    ///
    /// - Returns: whether the file is locked now; also false after ``release()``.
    package func tryLocking() throws(PrivatePlaceFailure) -> Bool {
        try state.withLock { (state) throws(PrivatePlaceFailure) -> Bool in
            if state.isLocked { return true }
            guard let file = state.file, try file.tryLocking() else { return false }
            if try !file.isNamed {
                // The file was removed since it was opened, and no longer excludes other holders.
                let other = try OpenLockFile(path)
                state.file = other
                guard try other.tryLocking(), try other.isNamed else { return false }
            }
            state.isLocked = true
            return true
        }
    }

    /// Locks the file, and blocks the calling thread until it is free.
    ///
    /// - Parameters:
    ///   - limit: how long to try; the first attempt is always made.
    ///   - givesUp: checked before each attempt.
    /// - Returns: whether the file is locked; false if the limit passed or `givesUp` said so.
    package func lockBlocking(
        within limit: Duration, unless givesUp: () -> Bool = { false }
    ) throws(PrivatePlaceFailure) -> Bool {
        try LockPauses.askBlocking(within: limit, unless: givesUp) {
            () throws(PrivatePlaceFailure) in try tryLocking()
        }
    }

    /// The processes that hold the lock, including this process; none where the system does not
    /// tell.
    package var holders: [LockHolder] {
        PrivatePlace.identity(ofFileAt: path).map(LockHolder.holders) ?? []
    }

    /// Frees the lock and closes the file. Releasing twice succeeds.
    package func release() {
        state.withLock { state in
            // A child of fork inherited the lock: closing alone would leave it with the child, and
            // the child must not free its parent's.
            if state.isLocked, ProcessIdentity.current == process { state.file?.unlock() }
            state = State()
        }
    }
}
