// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetPlatform

/// An anchor in a small file, private to this user. Put it where an attacker who could replace the
/// vault cannot write: on another disk or in another account's share.
///
/// Each line has one vault: its id in hexadecimal digits, a space, the generation. The file is
/// replaced atomically. Several vaults and processes may share it: one of two simultaneous notes
/// may be lost, which the next write repairs. The file is not authenticated, so it is as
/// trustworthy as its place. Each note costs one more disk sync than the write alone.
public final class FileAnchor: RollbackAnchor {
    private let path: String
    private let lock = Lock()

    /// Makes an anchor at `path`. The first note creates the file.
    public init(path: String) { self.path = path }

    /// The noted generation; nil if the file or the line does not exist.
    ///
    /// - Throws: `insecureFile` if others may write to the file, `corrupt` if it is not an anchor,
    ///   `unavailable` if it cannot be read.
    public func generation(ofVault id: [UInt8]) throws(StoreError) -> UInt64? {
        try lock.withLock { () throws(StoreError) -> UInt64? in try lines()[id.hexadecimal] }
    }

    /// Notes a generation unless it is lower than the noted one.
    public func advance(vault id: [UInt8], to generation: UInt64) throws(StoreError) {
        try lock.withLock { () throws(StoreError) -> Void in
            let name = id.hexadecimal
            var lines = try lines()
            if let noted = lines[name], noted >= generation { return }
            guard lines[name] != nil || lines.count < Self.maximumVaultCount else {
                throw StoreError(
                    .tooLarge, "The anchor \(path) holds \(lines.count) vaults. Use another file.")
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

    private static let maximumVaultCount = 10_000

    private func lines() throws(StoreError) -> [String: UInt64] {
        let contents: PrivateFile.Contents
        do throws(SystemFailure) {
            contents = try PrivateFile.read(
                path: path, maximumByteCount: Self.maximumVaultCount * 56, followsLinks: false)
        } catch {
            if error.number.isMissing { return [:] }
            throw StoreError(.unavailable, "The anchor could not be read: \(error).")
        }
        guard !contents.isWritableByOthers else {
            throw StoreError(
                .insecureFile,
                "Others may write to the anchor. Run: chmod 600 \(SystemFailure.quoted(path))")
        }
        var lines: [String: UInt64] = [:]
        for line in contents.bytes.split(separator: UInt8(ascii: "\n")) {
            let parts = String(decoding: line, as: UTF8.self).split(separator: " ")
            guard parts.count == 2, let name = parts.first, name.utf8.count == 32,
                let digits = parts.last,
                let generation = UInt64(digits),
                lines.updateValue(generation, forKey: String(name)) == nil
            else {
                throw StoreError(.corrupt, "\(SystemFailure.quoted(path)) is no anchor file.")
            }
        }
        return lines
    }
}

extension PrivateFile.Contents {
    fileprivate var isWritableByOthers: Bool { (permissions ?? 0) & 0o022 != 0 }
}
