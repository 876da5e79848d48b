// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

extension FigureFile {
    func keyWrap(_ row: FigureRow) throws(AuditError) -> AuditCase.Body {
        Check.keyWrap(
            wrappingKey: try row.cells.bytes("kek"), key: try row.cells.optionalBytes("key"),
            wrapped: try row.cells.bytes("ct"))
    }

    func content(_ row: FigureRow) throws(AuditError) -> AuditCase.Body {
        guard let encryption = ContentEncryption(rawValue: row.algorithm) else {
            throw AuditError(.malformed, "\(shown: row.algorithm) does not name an encryption.")
        }
        return Check.content(
            encryption, key: try row.cells.bytes("key"), nonce: try row.cells.bytes("iv"),
            data: try row.cells.bytes("aad"), plaintext: try row.cells.optionalBytes("pt"),
            ciphertext: try row.cells.bytes("ct"), tag: try row.cells.bytes("tag"))
    }

    func agreement(_ row: FigureRow) throws(AuditError) -> AuditCase.Body {
        var published = Check.Agreement(shared: try row.cells.bytes("z"))
        if row.cells.has("dk") {
            published.algorithmID = try row.cells.bytes("alg")
            published.partyUInfo = try row.cells.bytes("u")
            published.partyVInfo = try row.cells.bytes("v")
            published.byteCount = try row.cells.integer("L")
            published.derived = try row.cells.bytes("dk")
        }
        let scalar = try row.cells.bytes("d")
        let x = try row.cells.bytes("x")
        guard row.cells.has("y") else {
            return Check.x25519(scalar: scalar, coordinate: x, published: published)
        }
        return Check.agreement(
            try AlgorithmName.curve(row.algorithm), scalar: scalar, x: x,
            y: try row.cells.bytes("y"), published: published)
    }

    func concatKDF(_ row: FigureRow) throws(AuditError) -> AuditCase.Body {
        Check.concatKDF(
            shared: try row.cells.bytes("z"), otherInfo: try row.cells.bytes("oi"),
            byteCount: try row.cells.integer("L"), output: try row.cells.bytes("dk"))
    }
}
