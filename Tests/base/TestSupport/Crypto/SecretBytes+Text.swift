// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

package import SignetCrypto

extension SecretBytes {
    /// The text in the clear, for tests only.
    package func exposedText() -> String {
        withExposedBytes { bytes in
            var copy = [UInt8]()
            for index in bytes.indices { copy.append(bytes[index]) }
            return String(decoding: copy, as: UTF8.self)
        }
    }
}
