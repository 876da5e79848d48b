// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetPlatform
import SignetVault

/// Sealed files in memory, sealed and opened as streams.
struct SealedFileStreams {
    static let headerByteCount = 77
    static let sealedChunkByteCount = 65_552

    let key = SecretKey(copying: Array(0x40..<0x60))
    /// The most octets that one call reads, as a pipe may give one at a time.
    var pieceByteCount = Int.max

    /// What an attempt has written, and the error that ended it.
    struct Outcome {
        var written: [UInt8] = []
        var error: SealedFileError?

        var isNotAuthentic: Bool {
            guard case .cryptography(let error)? = error else { return false }
            return error.code == .authenticationFailure
        }

        var isNotSealed: Bool {
            guard case .notSealed? = error else { return false }
            return true
        }
    }

    /// Octets 0 to 250, again and again, which differ from chunk to chunk.
    static func numbered(_ byteCount: Int) -> [UInt8] {
        (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 % 251) }
    }

    func sealed(
        _ plaintext: [UInt8], noncePrefix: [UInt8]? = nil
    ) throws -> [UInt8] {
        var input = MemoryInput(plaintext, pieceByteCount: pieceByteCount)
        var output: [UInt8] = []
        try NewSealedFile(key: key, noncePrefix: noncePrefix).seal(
            reading: { (buffer, range) throws(SystemFailure) in
                try input.read(into: &buffer, at: range)
            },
            writing: { (bytes) throws(SystemFailure) in append(bytes, to: &output) })
        return output
    }

    func opened(_ file: [UInt8], key: SecretKey? = nil) -> Outcome {
        var input = MemoryInput(file, pieceByteCount: pieceByteCount)
        var outcome = Outcome()
        do throws(SealedFileError) {
            let header = try SealedFileHeader { (buffer, range) throws(SystemFailure) in
                try input.read(into: &buffer, at: range)
            }
            let unlocked = try header.key(from: key ?? self.key)
            try SealedFile.open(
                with: unlocked,
                reading: { (buffer, range) throws(SystemFailure) in
                    try input.read(into: &buffer, at: range)
                },
                writing: { (bytes) throws(SystemFailure) in append(bytes, to: &outcome.written) })
        } catch {
            outcome.error = error
        }
        return outcome
    }

    private func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
    }
}

/// Input that gives at most so many octets at a time, and counts what it is asked for.
struct MemoryInput {
    private var rest: ArraySlice<UInt8>
    private let pieceByteCount: Int
    private(set) var largestRequest = 0
    /// The error after the last octet; nil for the end of the input.
    var failure: SystemFailure?

    init(_ bytes: [UInt8], pieceByteCount: Int = .max) {
        rest = bytes[...]
        self.pieceByteCount = pieceByteCount
    }

    mutating func read(
        into buffer: inout [UInt8], at range: Range<Int>
    ) throws(SystemFailure) -> Int {
        largestRequest = max(largestRequest, range.upperBound)
        if rest.isEmpty, let failure { throw failure }
        let piece = rest.prefix(min(range.count, pieceByteCount))
        buffer.replaceSubrange(range.prefix(piece.count), with: piece)
        rest = rest.dropFirst(piece.count)
        return piece.count
    }
}
