// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The three parts of a compact JWS (RFC 7515, section 7.1), as places in its bytes: nothing is copied.
package struct CompactSerialization {
    package let header: Range<Int>
    package let payload: Range<Int>
    package let signature: Range<Int>

    /// What is signed: the header, the dot and the payload, as they stand.
    package var signingInput: Range<Int> { header.lowerBound..<payload.upperBound }

    /// Finds the parts. The size is looked at before anything else, and two dots are all that is looked for.
    package init(_ token: Span<UInt8>, maximumByteCount: Int) throws(TokenError) {
        try Self.checkSize(token.count, maximumByteCount: maximumByteCount)
        var first = -1
        var second = -1
        for index in token.indices where token[index] == UInt8(ascii: ".") {
            if first < 0 {
                first = index
            } else if second < 0 {
                second = index
            } else {
                throw Self.malformed
            }
        }
        guard first > 0, second > first else { throw Self.malformed }
        header = 0..<first
        payload = (first + 1)..<second
        signature = (second + 1)..<token.count
    }

    static func checkSize(_ byteCount: Int, maximumByteCount: Int) throws(TokenError) {
        guard byteCount <= maximumByteCount else {
            throw TokenError(.tooLarge, "The token is longer than \(maximumByteCount) bytes.")
        }
    }

    private static var malformed: TokenError {
        TokenError(
            .malformed,
            "A compact JWS has three parts: header, payload and signature, with a dot between them.")
    }
}
