// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto

extension StoreError {
    /// A record that is not as it was written.
    static func damaged(_ place: String, _ problem: String) -> StoreError {
        let verb = place.utf8.last == UInt8(ascii: "s") ? "are" : "is"
        return StoreError(.corrupt, "The vault's \(place) \(verb) damaged: \(problem).")
    }

    /// Runs calls of libcrypto.
    package static func computing<R>(_ body: () throws(CryptographyError) -> R) throws(StoreError)
        -> R
    {
        do throws(CryptographyError) { return try body() } catch { throw .library(error) }
    }

    /// A failure of libcrypto. Stored data is not at fault.
    package static func library(_ error: CryptographyError) -> StoreError {
        switch error.code {
        case .unsupported: StoreError(.unsupported, underlying: error, error.message)
        case .invalidParameter: StoreError(.invalidParameter, underlying: error, error.message)
        case .tooLarge: StoreError(.tooLarge, underlying: error, error.message)
        default:
            StoreError(
                .unavailable, underlying: error,
                "The cryptographic library failed: \(error.message)")
        }
    }
}
