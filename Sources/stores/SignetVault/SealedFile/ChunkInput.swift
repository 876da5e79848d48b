// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// Divides input into chunks of one length, and knows which is the last: it reads an octet ahead of
/// each. Pieces of any size, as a pipe gives them, are joined.
struct ChunkInput: ~Copyable {
    struct Chunk {
        /// How many octets of the buffer it has.
        let byteCount: Int
        /// Whether the input ends after it.
        let isFinal: Bool
    }

    /// The chunk, with room for a tag after it; one buffer for all chunks.
    var buffer: [UInt8]
    private let chunkByteCount: Int
    /// The octet after the last chunk, which was read with it.
    private var ahead: UInt8?

    init(chunkByteCount: Int) {
        self.chunkByteCount = chunkByteCount
        buffer = [UInt8](repeating: 0, count: chunkByteCount + ChunkSealing.tagByteCount)
    }

    /// Overwrites what the buffer holds.
    mutating func wipe() { SecretBytes.wipe(&buffer) }

    /// The next chunk: as long as all of them, or what is left of the input.
    mutating func next(reading read: SealedFileReading) throws(SealedFileError) -> Chunk {
        var count = 0
        if let octet = ahead.take() {
            buffer[0] = octet
            count = 1
        }
        // One octet more than the chunk has.
        while count <= chunkByteCount {
            let more = try SealedFilePieces.read(
                into: &buffer, at: count..<chunkByteCount + 1, reading: read)
            guard more > 0 else { return Chunk(byteCount: count, isFinal: true) }
            count += more
        }
        ahead = buffer[chunkByteCount]
        return Chunk(byteCount: chunkByteCount, isFinal: false)
    }
}
