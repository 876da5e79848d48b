// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// A new array of exactly `count` bytes, which are written once, by `fill`. There is an address even for none.
@inline(__always)
func newBytes(
    count: Int, _ fill: (UnsafeMutablePointer<UInt8>) throws(OpenSSLFailure) -> Void
) throws(OpenSSLFailure) -> [UInt8] {
    var failure: OpenSSLFailure?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: max(count, 1)) { buffer, initialised in
        initialised = 0
        guard let base = buffer.baseAddress else {
            failure = OpenSSLFailure(.invalidLength, "output")
            return
        }
        do throws(OpenSSLFailure) {
            try unsafe fill(base)
            initialised = count
        } catch {
            failure = error
        }
    }
    if let failure { throw failure }
    return bytes
}
