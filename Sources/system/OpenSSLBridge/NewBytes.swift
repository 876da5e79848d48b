// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A new array of at most `room` bytes: `fill` returns how many it wrote. It gets a valid address
/// even for no bytes.
///
/// In Swift 6.3 `init(unsafeUninitializedCapacity:)` looks the array's type up at run time, which
/// takes longer than encrypting a short message.
@inline(__always)
func newBytes(
    room: Int, _ fill: (UnsafeMutablePointer<UInt8>, inout Int) throws(OpenSSLFailure) -> Void
) throws(OpenSSLFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    try bytes.append(addingCapacity: max(room, 1)) { (output) throws(OpenSSLFailure) in
        try unsafe output.withUnsafeMutableBufferPointer {
            (buffer, initialised) throws(OpenSSLFailure) in
            guard let base = buffer.baseAddress, buffer.count >= room else {
                throw OpenSSLFailure(.invalidLength, "output")
            }
            var count = room
            try unsafe fill(base, &count)
            guard count >= 0, count <= room else { throw OpenSSLFailure(.invalidLength, "output") }
            initialised = count
        }
    }
    return bytes
}

/// A new array of exactly `count` bytes.
@inline(__always)
func newBytes(
    count: Int, _ fill: (UnsafeMutablePointer<UInt8>) throws(OpenSSLFailure) -> Void
) throws(OpenSSLFailure) -> [UInt8] {
    try unsafe newBytes(room: count) { (base, _) throws(OpenSSLFailure) in try unsafe fill(base) }
}
