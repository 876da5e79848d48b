// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension PrivateFile {
    /// What was read, and whether others on the machine can read it too.
    package struct Contents: Sendable {
        /// The bytes, in ordinary memory: who reads a key file makes the key at once and lets the array go.
        package let bytes: [UInt8]

        /// The permission bits of a regular file (`0o600`), `nil` for a pipe, a terminal or a device.
        package let permissions: UInt32?

        /// Whether a regular file may be read or changed by someone who is not its owner: a reason to warn when it
        /// holds a key. Access lists and the folders above are not looked at.
        package var isOpenToOthers: Bool { PrivateFile.isOpenToOthers(permissions) }
    }

    /// As ``Contents``, with the bytes in memory that is overwritten when they go.
    package struct SecretContents: ~Copyable {
        /// The bytes.
        package let bytes: CleansedBuffer

        /// As ``Contents/permissions``.
        package let permissions: UInt32?

        /// As ``Contents/isOpenToOthers``.
        package var isOpenToOthers: Bool { PrivateFile.isOpenToOthers(permissions) }
    }

    private static func isOpenToOthers(_ permissions: UInt32?) -> Bool {
        guard let permissions else { return false }
        return permissions & 0o066 != 0
    }
}
