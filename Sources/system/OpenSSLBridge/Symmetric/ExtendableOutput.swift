// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import SignetMemory

/// SHAKE-128 (FIPS 202).
package struct ExtendableOutput: ~Copyable {
    private let context: DigestContext

    package init() throws(OpenSSLFailure) {
        let type = try unsafe AlgorithmTable.shared.shake128.required()
        let made = try DigestContext()
        try require(unsafe EVP_DigestInit_ex2(made.pointer, type, nil), "EVP_DigestInit_ex2")
        context = made
    }

    package func absorb(_ bytes: Span<UInt8>) throws(OpenSSLFailure) {
        let returnCode = unsafe bytes.withBase { unsafe EVP_DigestUpdate(context.pointer, $0, $1) }
        try require(returnCode, "EVP_DigestUpdate")
    }

    /// The first `byteCount` bytes of output. Ends the object: OpenSSL 3.0 gives output only once.
    package consuming func squeeze(byteCount: Int) throws(OpenSSLFailure) -> [UInt8] {
        guard byteCount > 0 else { return [] }
        return try unsafe newBytes(count: byteCount) { (base) throws(OpenSSLFailure) in
            try require(
                unsafe EVP_DigestFinalXOF(context.pointer, base, byteCount), "EVP_DigestFinalXOF")
        }
    }
}
