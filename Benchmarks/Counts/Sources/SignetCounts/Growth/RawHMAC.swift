// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import CCounting
import SignetJOSE

/// HMAC-SHA-256 of libcrypto with nothing around it. Belongs to one thread at a time.
@safe
final class RawHMAC {
    private let pointer: OpaquePointer
    private let message: [UInt8]
    private let code: [UInt8]

    /// Verifies the signature of a token.
    init(_ token: String) throws {
        let parts = token.split(separator: ".")
        guard parts.count == 3,
            let made = unsafe counting_hmac_new(PublishedKeys.hmac, PublishedKeys.hmac.count)
        else { throw CountsError.setup("raw HMAC") }
        unsafe pointer = made
        message = Array("\(parts[0]).\(parts[1])".utf8)
        code = try Base64URL.decode(parts[2])
    }

    deinit { unsafe counting_hmac_free(pointer) }

    func isValid() -> Bool {
        unsafe code.count == 32 && counting_hmac_verify(pointer, message, message.count, code) == 1
    }
}
