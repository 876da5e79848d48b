// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetPlatform

extension StoreError {
    /// A write for which the disk has no room, also with an empty log.
    ///
    /// - Parameters:
    ///   - needed: at least so many bytes in the log: of a large write only the beginning was
    ///     tried.
    ///   - free: on the file system; a quota or a limit of the file's size may allow less.
    static func noRoom(for path: String, needed: Int64, free: Int64?) -> StoreError {
        var text = "The disk of \(SystemFailure.quoted(path)) is full: nothing was written. "
        text += "The write needs at least \(needed) bytes for its log"
        if let free, free < needed {
            text += ", and \(free) are free: at least \(needed - free) bytes are missing."
        } else {
            text += ": a quota, or a limit of the file's size, allows less."
        }
        return .diskFull(text + " Make room and try again.")
    }

    /// What is wrong with a place.
    init(_ failure: VaultPlaceFailure) {
        let code: Code =
            switch failure.kind {
            case .taken: .alreadyExists
            case .invalidPath: .invalidParameter
            default: failure.isInsecure ? .insecureFile : .unavailable
            }
        self.init(code, "\(failure)")
    }

    /// Runs `body` and turns what is wrong with a place into this module's error.
    package static func placing<R>(_ body: () throws(VaultPlaceFailure) -> R) throws(StoreError)
        -> R
    {
        do throws(VaultPlaceFailure) { return try body() } catch { throw StoreError(error) }
    }
}
