// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge
internal import SignetCrypto

/// The accumulated vectors of the XAES-256-GCM specification: the hash over many ciphertexts, whose keys, nonces,
/// plaintexts and associated data are drawn from SHAKE-128 of nothing.
struct AccumulatedXAESCheck: Sendable {
    let count: Int
    let hash: [UInt8]

    func observation() -> AuditObservation {
        do throws(OpenSSLFailure) {
            return try run()
        } catch {
            return .failed("SHAKE-128: \(error)")
        }
    }

    private func run() throws(OpenSSLFailure) -> AuditObservation {
        // At most 32 + 24 + 2 · (1 + 255) octets an iteration. OpenSSL 3.0 gives the output in one piece only.
        let stream = try SHAKE128().squeeze(byteCount: count * 568)
        let output = try SHAKE128()
        var position = 0
        func next(_ byteCount: Int) -> [UInt8] {
            defer { position += byteCount }
            return Array(stream[position..<(position + byteCount)])
        }
        for iteration in 0..<count {
            let key = next(32)
            let nonce = next(24)
            let plaintext = next(Int(next(1)[0]))
            let data = next(Int(next(1)[0]))
            let sealed: [UInt8]
            do throws(CryptoError) {
                let key = SecretKey(copying: key)
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
