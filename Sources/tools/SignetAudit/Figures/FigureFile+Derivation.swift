// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

extension FigureFile {
    func hkdf(_ row: FigureRow) throws(AuditError) -> AuditCase.Body {
        Check.hkdf(
            try AlgorithmName.hash(row.algorithm), input: try row.cells.bytes("ikm"),
            salt: try row.cells.bytes("salt"), info: try row.cells.bytes("info"),
            byteCount: try row.cells.integer("L"), intermediate: try row.cells.bytes("prk"),
            output: try row.cells.bytes("okm"))
    }

    func pbkdf2(_ row: FigureRow) throws(AuditError) -> AuditCase.Body {
        Check.pbkdf2(
            try AlgorithmName.hash(row.algorithm), password: try row.cells.bytes("pw"),
            salt: try row.cells.bytes("salt"), iterations: try row.cells.integer("c"),
            byteCount: try row.cells.integer("L"), output: try row.cells.bytes("dk"))
    }

    func scrypt(_ row: FigureRow) throws(AuditError) -> AuditCase.Body {
        let password = try row.cells.bytes("pw")
        let salt = try row.cells.bytes("salt")
        let cost = try row.cells.integer("N")
        let blockSize = try row.cells.integer("b")
        let parallelism = try row.cells.integer("p")
        let byteCount = try row.cells.integer("L")
        let output = try row.cells.bytes("dk")
        return Check.crypto { () throws(CryptographyError) in
            let derived = try KeyDerivation.scrypt(
                password: SecretBytes(copying: password), salt: salt, cost: cost,
                blockSize: blockSize,
                parallelism: parallelism, byteCount: byteCount, memoryLimit: 1 << 31)
            return derived.equals(output) ? .accepted : .differed("another key came out")
        }
    }
}
