// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import OpenSSLBridge

/// SHAKE-128 (FIPS 202), which the published XAES-256-GCM vectors draw their inputs from. The audit
/// uses it.
package struct SHAKE128: ~Copyable {
    private let stream: ExtendableOutput

    package init() throws(CryptographyError) {
        do {
            stream = try ExtendableOutput()
        } catch {
            throw CryptographyError.from(error, refused: .libraryFailure)
        }
    }

    package func absorb(_ bytes: Span<UInt8>) throws(CryptographyError) {
        try translatingErrors(refused: .libraryFailure) { () throws(OpenSSLFailure) in
            try stream.absorb(bytes)
        }
    }

    /// The first `byteCount` bytes of output. Ends the object: output is given only once.
    package consuming func squeeze(byteCount: Int) throws(CryptographyError) -> [UInt8] {
        do {
            return try stream.squeeze(byteCount: byteCount)
        } catch {
            throw CryptographyError.from(error, refused: .libraryFailure)
        }
    }
}
