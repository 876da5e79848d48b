// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// Seals or opens the chunks of one stream with XAES-256-GCM (the construction STREAM of Hoang,
/// Reyhanitabar, Rogaway and Vizár, 2015). The nonce of a chunk is
///
///     octets  field
///         19  prefix, new and random for each stream
///          4  counter, big-endian, from 0
///          1  1 for the last chunk, otherwise 0
///
/// The first 12 octets are the same for all chunks, so one derived key serves the stream. All
/// chunks but the last hold 65,536 octets; the last holds 1 to 65,536, or none if it is the first.
/// A chunk that is dropped, doubled, moved or of another stream does not open, nor does a stream
/// without its last chunk or with chunks after it. The counter never wraps: a chunk after the
/// 2^32nd is `tooLarge`.
package struct ChunkSealing: ~Copyable {
    /// Octets of plaintext in all chunks but the last.
    package static let chunkByteCount = 65_536
    package static var tagByteCount: Int { AEAD.tagByteCount }
    package static let noncePrefixByteCount = 19
    /// The most octets of a chunk with its tag.
    package static var sealedChunkByteCount: Int { chunkByteCount + tagByteCount }
    /// Where the second half of the nonce begins, which GCM takes.
    private static let nonceSplit = 12

    private let context: XAESChunkContext
    private let data: [UInt8]
    /// The last 7 octets of the prefix.
    private let prefixEnd: [UInt8]
    /// The number of the next chunk; nil after the last, and after the greatest number.
    private var counter: UInt32?
    private var isFirst = true
    /// Whether the last chunk was sealed or opened, or one has failed.
    private var hasEnded = false

    /// - Parameters:
    ///   - isSealing: whether to seal chunks; false opens them.
    ///   - key: 32 bytes.
    ///   - prefix: 19 octets.
    ///   - data: authenticated with every chunk.
    ///   - counter: the number of the first chunk. Only tests begin at another than 0.
    package init(
        sealing isSealing: Bool, key: SecretKey, noncePrefix prefix: [UInt8],
        authenticating data: [UInt8], counter: UInt32 = 0
    ) throws(CryptographyError) {
        try XAES256GCM.check(key)
        guard prefix.count == Self.noncePrefixByteCount else {
            throw CryptographyError(
                .invalidNonceSize,
                "The prefix of the nonces has \(Self.noncePrefixByteCount) bytes.")
        }
        context = try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try XAESChunkContext(
                key: key.storage, nonceStart: prefix.span.extracting(first: Self.nonceSplit),
                sealing: isSealing)
        }
        prefixEnd = Array(prefix[Self.nonceSplit...])
        self.data = data
        self.counter = counter
    }

    /// Seals the first octets of the buffer in place, and writes the tag after them.
    ///
    /// - Returns: how many octets of the buffer the sealed chunk has.
    /// - Throws: `tooLarge` after the 2^32nd chunk, `invalidParameter` for a length that a chunk
    ///   does not have and for a chunk after the last.
    package mutating func seal(
        _ buffer: inout [UInt8], byteCount: Int, isFinal: Bool
    ) throws(CryptographyError) -> Int {
        guard !hasEnded, isLength(byteCount, isFinal: isFinal) else {
            throw CryptographyError(
                .invalidParameter,
                "Chunks have \(Self.chunkByteCount) bytes, the last has 1 to as many.")
        }
        let nonce = try nextNonce(isFinal: isFinal)
        // Until it is sealed.
        hasEnded = true
        try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try context.seal(
                &buffer, byteCount: byteCount, nonceEnd: nonce.span, authenticating: data.span)
        }
        hasEnded = isFinal
        return byteCount + Self.tagByteCount
    }

    /// Opens a chunk in place: the first octets of the buffer, of which the tag is the last 16.
    ///
    /// - Returns: how many octets of the buffer are plaintext now.
    /// - Throws: `authenticationFailure`, `tooLarge` after the 2^32nd chunk. Nothing opens then any
    ///   more.
    package mutating func open(
        _ buffer: inout [UInt8], byteCount: Int, isFinal: Bool
    ) throws(CryptographyError) -> Int {
        let plaintextByteCount = byteCount - Self.tagByteCount
        guard !hasEnded, isLength(plaintextByteCount, isFinal: isFinal) else {
            hasEnded = true
            throw .notAuthentic
        }
        let nonce = try nextNonce(isFinal: isFinal)
        // Until it has opened.
        hasEnded = true
        try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try context.open(
                &buffer, byteCount: plaintextByteCount, nonceEnd: nonce.span,
                authenticating: data.span)
        }
        hasEnded = isFinal
        return plaintextByteCount
    }

    /// Whether the next chunk may have as many octets of plaintext.
    private func isLength(_ byteCount: Int, isFinal: Bool) -> Bool {
        guard isFinal else { return byteCount == Self.chunkByteCount }
        return ((isFirst ? 0 : 1)...Self.chunkByteCount).contains(byteCount)
    }

    /// The last 12 octets of the next chunk's nonce. No second call gets the same.
    private mutating func nextNonce(isFinal: Bool) throws(CryptographyError) -> [UInt8] {
        guard let number = counter else {
            hasEnded = true
            throw CryptographyError(
                .tooLarge, "A sealed stream has at most 2^32 chunks."
            )
        }
        counter = number == .max ? nil : number &+ 1
        isFirst = false
        return prefixEnd
            + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } + [isFinal ? 1 : 0]
    }
}
