// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetPlatform
import SignetVault

extension FuzzTarget {
    /// After a byte that says which: a sealed file, or what stands before its commitment and the
    /// plaintext, sealed with the known key: version 2 where the eighth octet is "2", else
    /// version 1. A file that opens with the key file's key says so before the commitment, and is
    /// sealed of what it opens to. The byte also says in pieces of what length a file is read.
    static let sealed = FuzzTarget("sealed", seeds: try sampleFiles()) { input in
        guard let kind = input.first else { return false }
        let content = Array(input.dropFirst())
        let isSealedHere = kind % 2 == 1
        let file = isSealedHere ? try resealed(content) : content
        let pieceByteCount = 1 + Int(kind) / 2
        let header = try? fileHeader(file)
        let algorithm = try? header?.passphraseAlgorithm()
        try hold(algorithm == nil || header?.mode != .key, "a key file is no passphrase")
        switch algorithm {
        case nil: break
        case .scrypt(let cost, 8, 1)?: try hold((14...20).contains(cost), "scrypt's cost")
        case .pbkdf2(let count)?: try hold((100_000...10_000_000).contains(count), "iterations")
        default: try hold(false, "a sealed file's derivation is scrypt or PBKDF2")
        }
        guard let opened = try? plaintext(of: file, by: fileKey, piecesOf: pieceByteCount) else {
            try hold(
                !isSealedHere || !wholePrefixes.contains { content.starts(with: $0) },
                "what the key has sealed opens")
            return false
        }
        try hold(header?.mode == .key, "a key opens files of mode 1 alone")
        try hold(
            wholePrefixes.contains { file.starts(with: $0) }, "what is opened has one prefix")
        try hold(opened.count == plaintextByteCount(of: file), "the length of a plaintext")
        if isSealedHere {
            try hold(opened.elementsEqual(content.dropFirst(26)), "what was sealed is opened")
        }
        try hold(
            (try? plaintext(of: file, by: foreignKey, piecesOf: pieceByteCount)) == nil,
            "a foreign key opens nothing")
        return true
    }

    private static func fileHeader(_ file: [UInt8]) throws -> SealedFileHeader {
        var rest = file[...]
        return try SealedFileHeader { (buffer, range) throws(SystemFailure) in
            take(from: &rest, into: &buffer, at: range)
        }
    }

    /// What a file opens to, if all of it is authentic.
    private static func plaintext(
        of file: [UInt8], by key: SecretKey, piecesOf byteCount: Int
    ) throws -> [UInt8] {
        var rest = file[...]
        let header = try SealedFileHeader { (buffer, range) throws(SystemFailure) in
            take(from: &rest, into: &buffer, at: range)
        }
        let unlocked = try header.key(from: key)
        var plaintext: [UInt8] = []
        try SealedFile.open(
            with: unlocked,
            reading: { (buffer, range) throws(SystemFailure) in
                take(from: &rest, into: &buffer, at: range.prefix(byteCount))
            },
            writing: { (bytes) throws(SystemFailure) in
                for index in bytes.indices { plaintext.append(bytes[index]) }
            })
        return plaintext
    }

    private static func take(
        from rest: inout ArraySlice<UInt8>, into buffer: inout [UInt8], at range: Range<Int>
    ) -> Int {
        let piece = rest.prefix(range.count)
        buffer.replaceSubrange(range.prefix(piece.count), with: piece)
        rest = rest.dropFirst(piece.count)
        return piece.count
    }

    /// How long the plaintext of a whole file is.
    private static func plaintextByteCount(of file: [UInt8]) -> Int {
        guard isVersion2(file) else { return file.count - 98 }
        let chunks = file.count - 77
        return chunks - (chunks + 65_551) / 65_552 * 16
    }

    private static func isVersion2(_ file: [UInt8]) -> Bool {
        file.starts(with: wholePrefixes[1].prefix(8))
    }

    private static func resealed(_ content: [UInt8]) throws -> [UInt8] {
        let version = isVersion2(content) ? 2 : 1
        func derived(_ what: String) throws -> SecretKey {
            try KeyDerivation.hkdf(
                fileKey, info: "signet sealed file \(version): \(what)".utf8, byteCount: 32)
        }
        let commitment = try derived("commitment").withExposedBytes { span in
            span.indices.map { span[$0] }
        }
        let plaintext = Array(content.dropFirst(26))
        let header = Array(content.prefix(26)) + commitment
        guard version == 2 else {
            return header
                + (try XAES256GCM.seal(plaintext, using: derived("key"), authenticating: header))
        }
        let prefix = try SecureRandom.bytes(count: ChunkSealing.noncePrefixByteCount)
        var sealing = try ChunkSealing(
            sealing: true, key: derived("key"), noncePrefix: prefix,
            authenticating: header + prefix)
        var file = header + prefix
        var start = 0
        while true {
            let end = min(start + ChunkSealing.chunkByteCount, plaintext.count)
            let isFinal = end == plaintext.count
            var chunk = Array(plaintext[start..<end]) + [UInt8](repeating: 0, count: 16)
            _ = try sealing.seal(&chunk, byteCount: end - start, isFinal: isFinal)
            file += chunk
            if isFinal { return file }
            start = end
        }
    }

    private static func sampleFiles() throws -> [[UInt8]] {
        let plaintext = Array("a plaintext".utf8)
        return try [[0], [1]]
            + wholePrefixes.flatMap { whole in
                try [(1, 0), (2, 17), (2, 21), (3, 6), (3, 0)].flatMap { mode, cost in
                    let prefix =
                        whole.prefix(8) + [UInt8(mode), UInt8(cost)]
                        + [UInt8](repeating: 0, count: 16)
                    return [
                        [1] + prefix + plaintext, [0] + (try resealed(prefix + plaintext)),
                    ]
                }
            }
    }

    /// "SIGNETS1" or "SIGNETS2", mode 1, and zeros for the cost and the salt.
    private static let wholePrefixes = ["SIGNETS1", "SIGNETS2"].map { magic in
        Array(magic.utf8) + [1] + [UInt8](repeating: 0, count: 17)
    }
    private static let fileKey = SecretKey(copying: [UInt8](repeating: 5, count: 32))
    private static let foreignKey = SecretKey(copying: [UInt8](repeating: 6, count: 32))
}
