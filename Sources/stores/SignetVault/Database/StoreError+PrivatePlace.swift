// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetPlatform

extension StoreError {
    /// A write for which the disk has no space, even in the log that it uses again.
    ///
    /// - Parameters:
    ///   - needed: the minimum space for the log: only the beginning of a large write was tried.
    ///   - room: what there is; a quota or file size limit may allow less.
    ///   - temporary: the space for temporary files, which may be what is missing; nil if none is
    ///     needed.
    static func noRoom(
        for path: String, needed: Int64, room: DiskRoom, temporary: Int64? = nil
    ) -> StoreError {
        if let temporary, room.missing(for: needed) == nil {
            return .diskFull(
                of: path,
                message: "There is no room to rebuild \(path: path): nothing was written. It "
                    + "needs about \(temporary) bytes for temporary files. Make room where they "
                    + "are, or name a folder on another disk: SQLITE_TMPDIR.")
        }
        var text: ErrorMessage = "The disk of \(path: path) is full: nothing was written. "
        text += "The write needs at least \(needed) bytes for its log"
        if let shortage = room.shortage(for: needed) {
            text += ", and \(shortage)."
        } else {
            text += ": a quota, or a limit of the file's size, allows less."
        }
        return .diskFull(of: path, message: text + " Make room and try again.")
    }

    /// A fault in the vault's place.
    package init(_ failure: PrivatePlaceFailure) {
        let code: Code =
            switch failure.kind {
            case .taken: .alreadyExists
            case .invalidPath: .invalidParameter
            default: failure.isInsecure ? .insecureFile : .unavailable
            }
        self.init(code, "\(failure)")
    }

    /// Runs `body` and translates faults in the vault's place to this module's error.
    package static func translatingErrors<R>(_ body: () throws(PrivatePlaceFailure) -> R)
        throws(StoreError)
        -> R
    {
        do { return try body() } catch { throw StoreError(error) }
    }
}
