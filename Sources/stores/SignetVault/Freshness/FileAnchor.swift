// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// An anchor in a small file, private to this user: it notes the generation of vaults, a number
/// that each write raises, so a vault's file that is older than the note is noticed. Put it where
/// an attacker who could replace the vault cannot write, such as on a different disk of this
/// machine: `options.anchor = FileAnchor(path: "/mnt/stick/anchor")`.
///
/// Each line has a vault: its id in 32 hexadecimal digits, a space, the generation in decimal
/// digits, such as `00112233445566778899aabbccddeeff 8`. The file is replaced atomically. Several
/// vaults, threads and processes may share it: each change locks a file in the folder `NAME.locks`
/// beside it, and waits for other changes for 1.5 seconds at most. The folder is for this user
/// alone and stays. The anchor is not authenticated, so it is as trustworthy as its place. Each
/// note costs one more disk sync than the write alone.
public final class FileAnchor: RollbackAnchor {
    private let path: String
    private let folder: LockFolder

    /// Makes an anchor at `path`. The first note creates the file.
    public init(path: String) {
        self.path = path
        folder = LockFolder(besideFileAt: path)
    }

    /// Checks that the file, its folder and the folders above are this user's and closed to other
    /// users, that they are not on a network file system, where locks do not hold between machines,
    /// and that files can be locked there.
    ///
    /// - Throws: `insecureFile`, `unavailable`, both with the remedy.
    public func checkPlace() throws(StoreError) {
        _ = try StoreError.translatingErrors { () throws(PrivatePlaceFailure) in
            try PrivatePlace.inspect(path: path)
        }
        PrivatePlace.removeLeftovers(besideFileAt: path)
        _ = try StoreError.translatingLockErrors(in: folder) { () throws(PrivatePlaceFailure) in
            let file = try LockFile(named: Self.lockName, in: folder)
            defer { file.release() }
            // A lock that another process holds also shows that files can be locked.
            return try file.tryLocking()
        }
    }

    /// The noted generation; nil if the file or the line does not exist.
    ///
    /// - Throws: `insecureFile` if other users may write to the file, or it is a folder, a pipe or
    ///   a device; `corrupt` if it is not an anchor, `unavailable` if it cannot be read.
    public func generation(ofVault id: [UInt8]) throws(StoreError) -> UInt64? {
        try readLines()[id.hexadecimal]
    }

    /// Notes a generation unless it is lower than the noted generation.
    ///
    /// - Throws: `busy` if other callers held the lock for 1.5 seconds; the errors of reading and
    ///   writing.
    public func advance(vault id: [UInt8], to generation: UInt64) throws(StoreError) {
        try note(generation, for: id, unless: { $0 >= generation })
    }

    /// Notes a generation, even if it is lower than the noted generation.
    public func lower(vault id: [UInt8], to generation: UInt64) throws(StoreError) {
        try note(generation, for: id, unless: { $0 == generation })
    }

    private static let maximumVaultCount = 10_000
    /// An id, a space, a generation of at most 20 digits, and the line's end; rounded up.
    private static let lineByteCount = 56
    /// The one lock file of the folder. Its name must be of hexadecimal digits.
    private static let lockName = "0"
    private static let waitLimit = Duration.milliseconds(1500)

    /// Notes a generation.
    ///
    /// - Parameter suffices: whether a generation that is noted already may stay.
    private func note(
        _ generation: UInt64, for id: [UInt8], unless suffices: (UInt64) -> Bool
    ) throws(StoreError) {
        try whileLocked { () throws(StoreError) in
            let name = id.hexadecimal
            var lines = try readLines()
            if let noted = lines[name], suffices(noted) { return }
            guard lines[name] != nil || lines.count < Self.maximumVaultCount else {
                throw StoreError(
                    .tooLarge,
                    "The anchor \(path: path) holds \(lines.count) vaults, the most that it may. Use another file."
                )
            }
            lines[name] = generation
            let text = lines.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }.joined()
            do throws(SystemFailure) {
                try PrivateFile.write(Array(text.utf8), to: path, overwrite: true)
            } catch {
                throw StoreError(.unavailable, "The anchor could not be updated: \(error).")
            }
        }
    }

    /// Runs `body` while no other thread or process changes the file.
    private func whileLocked(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        let (file, isLocked) = try StoreError.translatingLockErrors(in: folder) {
            () throws(PrivatePlaceFailure) in
            let file = try LockFile(named: Self.lockName, in: folder)
            return (file, try file.lockBlocking(within: Self.waitLimit))
        }
        defer { file.release() }
        guard isLocked else {
            let holder: ErrorMessage = file.holders.first.map { " \($0.sentence)" } ?? ""
            throw StoreError(
                .busy,
                "Others held the lock of the anchor \(path: path) for 1.5 seconds."
                    + holder)
        }
        try body()
    }

    /// The generations by the vaults' ids in hexadecimal digits; none if there is no file.
    private func readLines() throws(StoreError) -> [String: UInt64] {
        let found: PrivateFile.Contents?
        do throws(SystemFailure) {
            found = try PrivateFile.readRegular(
                path: path, maximumByteCount: Self.maximumVaultCount * Self.lineByteCount)
        } catch {
            if error.number.isMissing { return [:] }
            throw StoreError(.unavailable, "The anchor could not be read: \(error).")
        }
        guard let contents = found, let permissions = contents.permissions else {
            throw StoreError(
                .insecureFile,
                "The anchor \(path: path) is a folder, a pipe or a device. Name a file that only "
                    + "you may change, or one that does not exist yet.")
        }
        // Writing, for the group and for others.
        guard permissions & 0o022 == 0 else {
            throw StoreError(
                .insecureFile,
                "Others may write to the anchor. Run: chmod 600 \(path: path)")
        }
        return try parseLines(contents.bytes)
    }

    private func parseLines(_ text: [UInt8]) throws(StoreError) -> [String: UInt64] {
        var lines: [String: UInt64] = [:]
        for line in text.split(separator: UInt8(ascii: "\n")) {
            guard let (name, generation) = Self.parse(line), lines[name] == nil else {
                throw StoreError(.corrupt, "\(path: path) is no anchor file.")
            }
            lines[name] = generation
        }
        return lines
    }

    /// The two parts of a line; nil for a line of another form.
    private static func parse(_ line: [UInt8].SubSequence) -> (name: String, generation: UInt64)? {
        let parts = String(decoding: line, as: UTF8.self).split(separator: " ")
        guard parts.count == 2, let name = parts.first, let digits = parts.last else { return nil }
        guard name.utf8.count == 32, let generation = UInt64(digits) else { return nil }
        return (String(name), generation)
    }
}
