// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE

extension FigureFile {
    func rsa(_ row: FigureRow) throws(AuditError) -> AuditCase.Body {
        let key = VectorObject(try key(row), place: "\(row.cells.place): key")
        return Check.rsa(
            try AlgorithmName.rsaScheme(row.algorithm), hash: try AlgorithmName.hash(row.algorithm),
            modulus: try key.bytes("n"), exponent: try key.bytes("e"),
            message: try row.cells.bytes("msg"),
            signature: try row.cells.bytes("sig"))
    }

    func ecdsa(_ row: FigureRow) throws(AuditError) -> AuditCase.Body {
        let key = VectorObject(try key(row), place: "\(row.cells.place): key")
        return Check.ecdsa(
            try AlgorithmName.curve(row.algorithm), x: try key.bytes("x"), y: try key.bytes("y"),
            hash: try AlgorithmName.hash(row.algorithm), message: try row.cells.bytes("msg"),
            signature: try row.cells.bytes("sig"))
    }

    /// Whether a point is accepted as a public key.
    func publicKey(_ row: FigureRow) throws(AuditError) -> AuditCase.Body {
        let curve = try AlgorithmName.curve(row.algorithm)
        let x = try row.cells.bytes("x")
        let y = try row.cells.bytes("y")
        return Check.crypto { () throws(CryptographyError) in
            let key = try ECPublicKey(curve: curve, x: x, y: y)
            return key.x == x && key.y == y ? .accepted : .differed("the key has other coordinates")
        }
    }

    /// Checks that a private key has the stated public key, and that the public key verifies its
    /// signature.
    func keyPair(_ row: FigureRow) throws(AuditError) -> AuditCase.Body {
        let curve = try AlgorithmName.curve(row.algorithm)
        let scalar = try row.cells.bytes("d")
        let x = try row.cells.bytes("x")
        let y = try row.cells.bytes("y")
        return Check.crypto { () throws(CryptographyError) in
            let key = try ECPrivateKey(curve: curve, privateScalar: SecretKey(copying: scalar))
            guard key.publicKey.x == x, key.publicKey.y == y else {
                return .differed("the public key is another one")
            }
            let signature = try key.signature(for: x, hash: .sha256)
            let isValid = try ECPublicKey(curve: curve, x: x, y: y).isValidSignature(
                signature, for: x, hash: .sha256)
            return isValid ? .accepted : .differed("its own signature does not verify")
        }
    }

    func ed25519(_ row: FigureRow) throws(AuditError) -> AuditCase.Body {
        Check.ed25519(
            seed: try row.cells.bytes("seed"), publicKey: try row.cells.bytes("pk"),
            message: try row.cells.bytes("msg"), signature: try row.cells.bytes("sig"))
    }
}
