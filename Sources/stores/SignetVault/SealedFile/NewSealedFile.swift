// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto

/// A sealed file that does not exist yet: its header, and the key that seals its content once.
package struct NewSealedFile: ~Copyable {
    /// The cost of a new file: N = 2^17, which takes 128 MiB.
    private static let scryptCost: UInt8 = 17
    /// The cost of a new file: 600,000 iterations.
    private static let pbkdf2Cost: UInt8 = 6
    private static let version = SealedFileHeader.Version.two

    private let header: SealedFileHeader
    private let key: SecretKey

    /// A file for a key file's key, 32 bytes.
    ///
    /// - Parameter noncePrefix: for known-answer tests only; nil takes a random prefix.
    package init(key: SecretKey, noncePrefix: [UInt8]? = nil) throws(SealedFileError) {
        let salt = [UInt8](repeating: 0, count: SealedFileHeader.saltByteCount)
        let header = try Self.header(
            mode: .key, cost: 0, salt: salt, root: key, noncePrefix: noncePrefix)
        self.key = try Self.version.sealingKey(of: key)
        self.header = header
    }

    /// A file for a passphrase, by scrypt if libcrypto has it.
    package init(passphrase: borrowing SecretBytes) throws(SealedFileError) {
        let mode: SealedFileHeader.Mode = KeyDerivation.isScryptAvailable ? .scrypt : .pbkdf2
        let cost = mode == .scrypt ? Self.scryptCost : Self.pbkdf2Cost
        let algorithm = try SealedFileHeader.passwordAlgorithm(of: mode, cost: cost)
        let salt = try Self.random(SealedFileHeader.saltByteCount)
        let root = try SealedFileHeader.rootKey(passphrase, salt: salt, by: algorithm)
        let header = try Self.header(mode: mode, cost: cost, salt: salt, root: root)
        key = try Self.version.sealingKey(of: root)
        self.header = header
    }

    /// Seals all of the input, in chunks. It holds one chunk in memory.
    ///
    /// - Throws: `cryptography` with `tooLarge` for input over 2^48 bytes, `reading`, `writing`. What
    ///   was written by then opens nowhere as a whole file.
    package consuming func seal(
        reading read: SealedFileReading, writing write: SealedFileWriting
    ) throws(SealedFileError) {
        var input = ChunkInput(chunkByteCount: ChunkSealing.chunkByteCount)
        defer { input.wipe() }
        // Input that cannot be read gives no output.
        var chunk = try input.next(reading: read)
        try SealedFilePieces.write(header.bytes.span, writing: write)
        var sealing = try chunkSealing()
        while true {
            let byteCount: Int
            do {
                byteCount = try sealing.seal(
                    &input.buffer, byteCount: chunk.byteCount, isFinal: chunk.isFinal)
            } catch {
                throw .cryptography(error)
            }
            try SealedFilePieces.write(input.buffer.span.extracting(0..<byteCount), writing: write)
            if chunk.isFinal { return }
            chunk = try input.next(reading: read)
        }
    }

    private static func header(
        mode: SealedFileHeader.Mode, cost: UInt8, salt: [UInt8], root: SecretKey,
        noncePrefix: [UInt8]? = nil
    ) throws(SealedFileError) -> SealedFileHeader {
        let prefix =
            if let noncePrefix {
                noncePrefix
            } else {
                try random(ChunkSealing.noncePrefixByteCount)
            }
        return try SealedFileHeader(
            version.magic + [mode.rawValue, cost] + salt + version.commitment(to: root) + prefix)
    }

    private borrowing func chunkSealing() throws(SealedFileError) -> ChunkSealing {
        do {
            return try ChunkSealing(
                sealing: true, key: key, noncePrefix: header.noncePrefix,
                authenticating: header.bytes)
        } catch {
            throw .cryptography(error)
        }
    }

    private static func random(_ count: Int) throws(SealedFileError) -> [UInt8] {
        do { return try SecureRandom.bytes(count: count) } catch { throw .cryptography(error) }
    }
}
