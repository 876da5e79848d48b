// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE

extension FigureFile {
    func rsa(_ row: FigureRow) throws(AuditError) -> @Sendable () -> AuditObservation {
        let key = VectorObject(try key(row), place: "\(row.cells.place): key")
        let check = RSACheck(
            modulus: try key.bytes("n"), exponent: try key.bytes("e"),
            scheme: try AlgorithmName.rsaScheme(row.algorithm),
            hash: try AlgorithmName.hash(row.algorithm), message: try row.cells.bytes("msg"),
            signature: try row.cells.bytes("sig"))
        return { check.observation() }
    }

    func ecdsa(_ row: FigureRow) throws(AuditError) -> @Sendable () -> AuditObservation {
        let key = VectorObject(try key(row), place: "\(row.cells.place): key")
        let check = ECDSACheck(
            curve: try AlgorithmName.curve(row.algorithm), x: try key.bytes("x"),
            y: try key.bytes("y"),
            hash: try AlgorithmName.hash(row.algorithm), message: try row.cells.bytes("msg"),
            signature: try row.cells.bytes("sig"))
        return { check.observation() }
    }

    func publicKey(_ row: FigureRow) throws(AuditError) -> @Sendable () -> AuditObservation {
        let check = ECPublicKeyCheck(
            curve: try AlgorithmName.curve(row.algorithm), x: try row.cells.bytes("x"),
            y: try row.cells.bytes("y"))
        return { check.observation() }
    }

    func keyPair(_ row: FigureRow) throws(AuditError) -> @Sendable () -> AuditObservation {
        let check = ECKeyPairCheck(
            curve: try AlgorithmName.curve(row.algorithm), scalar: try row.cells.bytes("d"),
            x: try row.cells.bytes("x"), y: try row.cells.bytes("y"))
        return { check.observation() }
    }

    func ed25519(_ row: FigureRow) throws(AuditError) -> @Sendable () -> AuditObservation {
        let check = Ed25519Check(
            seed: try row.cells.bytes("seed"), publicKey: try row.cells.bytes("pk"),
            message: try row.cells.bytes("msg"), signature: try row.cells.bytes("sig"))
        return { check.observation() }
    }

    func base64URL(_ row: FigureRow) throws(AuditError) -> @Sendable () -> AuditObservation {
        let check = Base64URLCheck(
            bytes: try row.cells.hexadecimal("hex"), text: try row.cells.string("text"))
        return { check.observation() }
    }
}
