// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

extension FigureFile {
    func mac(_ row: FigureRow) throws(AuditError) -> AuditCase.Body {
        Check.mac(
            try AlgorithmName.hash(row.algorithm), key: try row.cells.bytes("key"),
            message: try row.cells.bytes("msg"), tag: try row.cells.bytes("tag"))
    }

    func sealing(
        _ row: FigureRow, algorithm: any SealingAlgorithm.Type
    ) throws(AuditError) -> AuditCase.Body {
        let key = try row.cells.bytes("key")
        let nonce = try row.cells.bytes("iv")
        let tag = row.cells.has("tag") ? try row.cells.bytes("tag") : []
        let check = Check.sealing(
            algorithm, key: key, nonce: nonce, data: try row.cells.bytes("aad"),
            plaintext: try row.cells.optionalBytes("pt"),
            ciphertext: try row.cells.bytes("ct") + tag)
        guard row.cells.has("kx") else { return check }
        let derivedKey = try row.cells.bytes("kx")
        let derivedNonce = try row.cells.bytes("nx")
        // AES-256-GCM under the published key and nonce must open what XAES sealed.
        let schedule = Check.crypto { () throws(CryptographyError) in
            let probe = Array("a message that no vector has".utf8)
            let sealed = try XAES256GCM.seal(probe, using: SecretKey(copying: key), nonce: nonce)
            let inner = derivedNonce + sealed.dropFirst(nonce.count)
            let opened = try AESGCM.open(inner, using: SecretKey(copying: derivedKey))
            return opened == probe
                ? .accepted : .differed("the derived key opened to something else")
        }
        return Check.both(check, then: schedule)
    }

    /// The accumulated vectors of the XAES-256-GCM specification: the hash over many ciphertexts,
    /// whose keys, nonces, plaintexts and associated data are taken from SHAKE-128 of an empty
    /// input.
    func accumulated(_ row: FigureRow) throws(AuditError) -> AuditCase.Body {
        let count = try row.cells.count("n")
        guard count > 0 else {
            throw row.cells.malformed("n", because: "is 0 instead of 1 or more")
        }
        let hash = try row.cells.bytes("hash")
        return {
            do throws(CryptographyError) {
                return try Self.accumulated(count, hash: hash)
            } catch {
                return .failed("SHAKE-128: \(error)")
            }
        }
    }

    private static func accumulated(_ count: Int, hash: [UInt8]) throws(CryptographyError)
        -> AuditObservation
    {
        // At most 32 + 24 + 2 · (1 + 255) octets for each iteration. OpenSSL 3.0 can only output
        // everything at once.
        let stream = try SHAKE128().squeeze(byteCount: count * 568)
        let output = try SHAKE128()
        var position = 0
        func next(_ byteCount: Int) -> [UInt8] {
            defer { position += byteCount }
            return Array(stream[position..<(position + byteCount)])
        }
        for iteration in 0..<count {
            let key = SecretKey(copying: next(32))
            let nonce = next(24)
            let plaintext = next(Int(next(1)[0]))
            let data = next(Int(next(1)[0]))
            let sealed: [UInt8]
            do throws(CryptographyError) {
                sealed = try XAES256GCM.seal(
                    plaintext, using: key, nonce: nonce, authenticating: data)
                guard try XAES256GCM.open(sealed, using: key, authenticating: data) == plaintext
                else {
                    return .differed("iteration \(iteration) did not open to its plaintext")
                }
            } catch {
                return .failed("iteration \(iteration): \(error)")
            }
            try output.absorb(sealed.span.extracting(nonce.count..<sealed.count))
        }
        let digest = try output.squeeze(byteCount: 32)
        return digest == hash
            ? .accepted : .differed("the hash over the ciphertexts is another one")
    }
}
