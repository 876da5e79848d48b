// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// As `withSpan(of:_:)`, and quicker for arrays, their slices and text.
///
/// A public function that takes any collection is not specialised for its callers. To ask an unknown collection for its
/// storage then makes the Swift runtime look up generic types, which takes as long as to seal a short message; to compare
/// its type with a known one takes nothing.
@inlinable
@inline(__always)
package func withKnownSpan<Bytes: Collection<UInt8>, Answer, Failure: Error>(
    of bytes: Bytes, _ body: (Span<UInt8>) throws(Failure) -> Answer
) throws(Failure) -> Answer {
    // The types were compared: the casts change nothing but what the compiler knows.
    if Bytes.self == [UInt8].self {
        let array = unsafe unsafeBitCast(bytes, to: [UInt8].self)
        return try body(array.span)
    }
    if Bytes.self == ArraySlice<UInt8>.self {
        let slice = unsafe unsafeBitCast(bytes, to: ArraySlice<UInt8>.self)
        return try body(slice.span)
    }
    if Bytes.self == String.UTF8View.self {
        let text = unsafe unsafeBitCast(bytes, to: String.UTF8View.self)
        return try body(text.span)
    }
    return try withSpan(of: bytes, body)
}
