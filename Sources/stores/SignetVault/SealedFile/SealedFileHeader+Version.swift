// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

/// Where the versions differ: the eighth octet of the magic and the infos change together.
extension SealedFileHeader.Version {
    /// The version of a file; nil if it does not begin as a sealed file does.
    init?(magic: [UInt8]) {
        if magic.starts(with: Self.one.magic) {
            self = .one
        } else if magic.starts(with: Self.two.magic) {
            self = .two
        } else {
            return nil
        }
    }

    var magic: [UInt8] {
        switch self {
        case .one: Array("SIGNETS1".utf8)
        case .two: Array("SIGNETS2".utf8)
        }
    }

    var headerByteCount: Int {
        switch self {
        case .one: 58
        case .two: 58 + ChunkSealing.noncePrefixByteCount
        }
    }

    func sealingKey(of root: SecretKey) throws(SealedFileError) -> SecretKey {
        switch self {
        case .one: try derive("signet sealed file 1: key", from: root)
        case .two: try derive("signet sealed file 2: key", from: root)
        }
    }

    func commitment(to root: SecretKey) throws(SealedFileError) -> [UInt8] {
        let key =
            switch self {
            case .one: try derive("signet sealed file 1: commitment", from: root)
            case .two: try derive("signet sealed file 2: commitment", from: root)
            }
        return key.withExposedBytes { span in span.indices.map { span[$0] } }
    }

    private func derive(_ info: String, from root: SecretKey) throws(SealedFileError) -> SecretKey {
        do {
            return try KeyDerivation.hkdf(root, info: info.utf8, byteCount: 32)
        } catch {
            throw .cryptography(error)
        }
    }
}
