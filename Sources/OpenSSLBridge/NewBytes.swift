// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A new array of exactly `count` bytes, which are written once, by `fill`. There is an address even for none.
///
/// Not by `init(unsafeUninitializedCapacity:)`: Swift 6.3 calls its standard library for the memory there, which looks up
/// the generic type of the array at run time, and that takes longer than to encrypt a short message.
@inline(__always)
func newBytes(
    count: Int, _ fill: (UnsafeMutablePointer<UInt8>) throws(OpenSSLFailure) -> Void
) throws(OpenSSLFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    try bytes.append(addingCapacity: max(count, 1)) { (output) throws(OpenSSLFailure) in
        try unsafe output.withUnsafeMutableBufferPointer {
            (buffer, initialised) throws(OpenSSLFailure) in
            guard let base = buffer.baseAddress, buffer.count >= count else {
                throw OpenSSLFailure(.invalidLength, "output")
            }
            try unsafe fill(base)
            initialised = count
        }
    }
    return bytes
}
