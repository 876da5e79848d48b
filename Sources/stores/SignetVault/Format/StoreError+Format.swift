// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto

extension StoreError {
    /// The error for a record that is not as it was written.
    static func damaged(_ place: String, problem: ErrorMessage) -> StoreError {
        let verb = place.utf8.last == UInt8(ascii: "s") ? "are" : "is"
        return StoreError(
            .corrupt, "The vault's \(shown: place) \(shown: verb) damaged: \(problem).")
    }

    /// The error for a record that has another number of bytes than expected.
    static func damaged(
        _ place: String, byteCount: Int, expected: ClosedRange<Int>
    ) -> StoreError {
        let least = expected.lowerBound
        let most = expected.upperBound
        let counts: ErrorMessage = least == most ? "\(least)" : "\(least) to \(most)"
        return .damaged(place, problem: "it has \(byteCount) bytes instead of \(counts)")
    }

    /// Runs calls of libcrypto, and translates their errors.
    package static func translatingErrors<R>(_ body: () throws(CryptographyError) -> R)
        throws(StoreError)
        -> R
    {
        do { return try body() } catch { throw .library(error) }
    }

    /// A failure of libcrypto. Stored data is not at fault.
    package static func library(_ error: CryptographyError) -> StoreError {
        switch error.code {
        case .unsupported: StoreError(.unsupported, underlying: error, "\(messageOf: error)")
        case .invalidParameter:
            StoreError(.invalidParameter, underlying: error, "\(messageOf: error)")
        case .tooLarge: StoreError(.tooLarge, underlying: error, "\(messageOf: error)")
        default:
            StoreError(
                .unavailable, underlying: error,
                "The cryptographic library failed: \(messageOf: error)")
        }
    }
}
