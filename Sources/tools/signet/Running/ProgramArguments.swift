// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSignetArguments
internal import SignetPlatform

/// The arguments of the program as the kernel gave them.
enum ProgramArguments {
    /// All of them, the program's name first, each as ``PathText``: it may be the name of a file.
    static let all: [String] = (0..<csignet_argument_count()).map { index in
        var bytes: [UInt8] = []
        var place: Int32 = 0
        while case let byte = csignet_argument_octet(index, place), byte != 0 {
            bytes.append(byte)
            place += 1
        }
        return PathText.text(of: bytes)
    }
}
