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
    /// - Throws: a failure with `isInsecure` if the file or a folder is another user's or open to
    ///   others, or if it is not a regular file; `invalidPath` for another name.
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

    /// Locks the file unless another holds it. It does not wait.
    ///
    /// - Returns: whether it is locked now; false after ``release()`` too.
    package func tryLocking() throws(PrivatePlaceFailure) -> Bool {
        try state.withLock { (state) throws(PrivatePlaceFailure) -> Bool in
            guard let file = state.file, !state.isLocked, try file.tryLocking() else {
                return state.isLocked
            }
            guard try file.isNamed else {
                // It was removed since it was opened, and no longer excludes others.
                let other = try OpenLockFile(path)
                state.file = other
                guard try other.tryLocking(), try other.isNamed else { return false }
                state.isLocked = true
                return true
            }
            state.isLocked = true
            return true
        }
    }

    /// Locks the file, and blocks the calling thread until no other holds it.
    ///
    /// - Parameters:
    ///   - limit: how long to try, at least once.
    ///   - givesUp: checked before each attempt.
    /// - Returns: whether it is locked; false if the limit passed or `givesUp` said so.
    package func lockBlocking(
        within limit: Duration, unless givesUp: () -> Bool = { false }
    ) throws(PrivatePlaceFailure) -> Bool {
        try LockPauses.askBlocking(within: limit, unless: givesUp) {
            () throws(PrivatePlaceFailure) in try tryLocking()
        }
    }

    /// The processes that hold it, this one too, where the system tells.
    package var holders: [LockHolder] {
        PrivatePlace.identity(ofFileAt: path).map { LockHolder.holders(of: $0) } ?? []
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
