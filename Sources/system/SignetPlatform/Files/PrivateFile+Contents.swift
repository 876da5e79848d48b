// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension PrivateFile {
    /// The bytes that were read, and whether other users of the machine can read the file.
    package struct Found<Bytes: ~Copyable & Sendable>: ~Copyable, Sendable {
        /// The bytes.
        package let bytes: Bytes

        /// The permission bits of a regular file (`0o600`), `nil` for a pipe, a terminal or a
        /// device.
        package let permissions: UInt32?

        /// Whether anyone but the owner may read or change a regular file: a reason to warn if it
        /// holds a key. **Not** checked: access lists and the folders above.
        package var isOpenToOthers: Bool {
            permissions.map { $0 & 0o066 != 0 } ?? false
        }
    }

    /// A file's bytes in ordinary memory. A caller that reads a key file makes the key at once and
    /// drops the array.
    package typealias Contents = Found<[UInt8]>

    /// A file's bytes in memory that is overwritten when its owner goes.
    package typealias SecretContents = Found<CleansedBuffer>
}

extension PrivateFile.Found: Copyable where Bytes: Copyable {}

extension PrivateFile.SecretContents {
    /// A copy of the bytes in ordinary memory.
    var copied: PrivateFile.Contents {
        PrivateFile.Contents(bytes: bytes.copyToArray(), permissions: permissions)
    }
}
