// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetCrypto
import SignetVault

extension FuzzTarget {
    /// After a byte that says which: a sealed file, or what stands before its commitment and the
    /// plaintext, sealed with the known key. A file that opens with the key file's key says so
    /// before the commitment, and is sealed of what it opens to.
    static let sealed = FuzzTarget("sealed", seeds: try sampleFiles()) { input in
        guard let kind = input.first else { return false }
        let content = Array(input.dropFirst())
        let isSealedHere = kind % 2 == 1
        let file = isSealedHere ? try resealed(content) : content
        let mode = try? SealedFile.mode(of: file)
        let algorithm = try? SealedFile.passphraseAlgorithm(of: file)
        try hold(algorithm == nil || mode != .key, "a key file is no passphrase")
        switch algorithm {
        case nil: break
        case .scrypt(let cost, 8, 1)?: try hold((14...20).contains(cost), "scrypt's cost")
        case .pbkdf2(let count)?: try hold((100_000...10_000_000).contains(count), "iterations")
        default: try hold(false, "a sealed file's derivation is scrypt or PBKDF2")
        }
        guard let opened = try? SealedFile.open(file, key: fileKey) else {
            try hold(
                !isSealedHere || !content.starts(with: wholePrefix),
                "what the key has sealed opens")
            return false
        }
        try hold(mode == .key, "a key opens files of mode 1 alone")
        try hold(file.starts(with: wholePrefix), "what is opened has one prefix")
        try hold(
            opened.count == file.count - SealedFile.overheadByteCount, "the length of a plaintext")
        if isSealedHere {
            try hold(opened.elementsEqual(content.dropFirst(26)), "what was sealed is opened")
        }
        try hold(
            (try? SealedFile.open(file, key: foreignKey)) == nil, "a foreign key opens nothing")
        return true
    }

    private static func resealed(_ content: [UInt8]) throws -> [UInt8] {
        try SealedFile.seal(
            Array(content.dropFirst(26)), root: fileKey, prefix: Array(content.prefix(26)))
    }

    private static func sampleFiles() throws -> [[UInt8]] {
        let plaintext = Array("a plaintext".utf8)
        let prefixes = [(1, 0), (2, 17), (2, 21), (3, 6), (3, 0)].map { mode, cost in
            wholePrefix.prefix(8) + [UInt8(mode), UInt8(cost)] + [UInt8](repeating: 0, count: 16)
        }
        return try [[0], [1], [0] + SealedFile.seal(plaintext, key: fileKey)]
            + prefixes.flatMap { prefix in
                [[1] + prefix + plaintext, [0] + (try resealed(prefix + plaintext))]
            }
    }

    /// "SIGNETS1", mode 1, and zeros for the cost and the salt.
    private static let wholePrefix =
        Array("SIGNETS1".utf8) + [1] + [UInt8](repeating: 0, count: 17)
    private static let fileKey = SecretKey(copying: [UInt8](repeating: 5, count: 32))
    private static let foreignKey = SecretKey(copying: [UInt8](repeating: 6, count: 32))
}
