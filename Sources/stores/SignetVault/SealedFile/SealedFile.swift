// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// Opens files of `signet seal`, versions 1 and 2 (Documentation/SEALED-FILE.md is normative), and
/// seals new ones of version 2: `NewSealedFile(key: key).seal(reading: input, writing: output)`.
///
///     offset  size  field
///          0    77  header of version 2 (``SealedFileHeader``)
///         77        chunks: 65,536 octets each, the last one 1 to 65,536, or none if it is the
///                   first; each with a tag of 16 octets
///
/// It reads and writes in pieces, and holds one chunk in memory. A file of version 1 is one
/// message, and is held in memory as a whole.
package enum SealedFile {
    /// The most octets that a file of version 1 was sealed of.
    package static let maximumByteCountOfVersion1 = 1 << 30
    /// How many octets longer a file of version 1 is.
    package static let overheadByteCountOfVersion1 =
        SealedFileHeader.Version.one.headerByteCount + messageOverheadByteCount
    /// Nonce and tag.
    static let messageOverheadByteCount =
        XAES256GCM.nonceByteCount + XAES256GCM.tagByteCount

    /// Opens what stands after the header.
    ///
    /// A chunk is written once it is authentic. If an error follows, what was written is true but
    /// not whole: a caller that needs all or nothing writes to a `PrivateFileWriter`.
    package static func open(
        with key: SealedFileKey, reading read: SealedFileReading,
        writing write: SealedFileWriting
    ) throws(SealedFileError) {
        switch key.header.version {
        case .one: try openMessage(with: key, reading: read, writing: write)
        case .two: try openChunks(with: key, reading: read, writing: write)
        }
    }

    private static func openChunks(
        with key: SealedFileKey, reading read: SealedFileReading,
        writing write: SealedFileWriting
    ) throws(SealedFileError) {
        var opening = try SealedFileError.translatingErrors { () throws(CryptographyError) in
            try ChunkSealing(
                sealing: false, key: key.key, noncePrefix: key.header.noncePrefix,
                authenticating: key.header.bytes)
        }
        var input = ChunkInput(chunkByteCount: ChunkSealing.sealedChunkByteCount)
        defer { input.wipe() }
        while true {
            let chunk = try input.next(reading: read)
            let byteCount: Int
            do {
                byteCount = try opening.open(
                    &input.buffer, byteCount: chunk.byteCount, isFinal: chunk.isFinal)
            } catch {
                throw error.code == .authenticationFailure ? .notAuthentic : .cryptography(error)
            }
            try SealedFilePieces.write(input.buffer.span.extracting(0..<byteCount), writing: write)
            if chunk.isFinal { return }
        }
    }

    /// Version 1: nonce, ciphertext and tag of one message.
    private static func openMessage(
        with key: SealedFileKey, reading read: SealedFileReading,
        writing write: SealedFileWriting
    ) throws(SealedFileError) {
        let message = try message(
            beginning: key.header.messageBeginning,
            maximumByteCount: maximumByteCountOfVersion1 + messageOverheadByteCount,
            reading: read)
        var plaintext = try SealedFileError.translatingErrors { () throws(CryptographyError) in
            try XAES256GCM.open(message, using: key.key, authenticating: key.header.bytes)
        }
        defer { SecretBytes.wipe(&plaintext) }
        try SealedFilePieces.write(plaintext.span, writing: write)
    }

    private static func message(
        beginning: [UInt8], maximumByteCount: Int, reading read: SealedFileReading
    ) throws(SealedFileError) -> [UInt8] {
        var message = beginning
        var piece = [UInt8](repeating: 0, count: ChunkSealing.chunkByteCount)
        while true {
            let count = try SealedFilePieces.read(into: &piece, at: piece.indices, reading: read)
            guard count > 0 else { return message }
            guard count <= maximumByteCount - message.count else { throw .tooLarge }
            message += piece[..<count]
        }
    }
}
