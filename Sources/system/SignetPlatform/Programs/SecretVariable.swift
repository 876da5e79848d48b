// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCLibrary

/// A secret for a program's environment: `NAME=value` in memory that is overwritten when its owner
/// goes. It is neither printed nor encoded.
@safe
package final class SecretVariable: @unchecked Sendable {
    /// `NAME=`, as it begins in the environment.
    let start: [UInt8]
    /// All of it and a zero byte. Never written to after ``init(name:value:)``.
    let text: UnsafeMutablePointer<CChar>
    private let byteCount: Int

    /// Copies the value, once.
    ///
    /// - Returns: nil if the value holds a zero byte, at which the variable would end, or the name
    ///   is not a name: it is empty, or holds `=` or a zero byte.
    package init?(name: String, value: Span<UInt8>) {
        guard !name.isEmpty, !name.utf8.contains(where: { $0 == UInt8(ascii: "=") || $0 == 0 }),
            !value.indices.contains(where: { value[$0] == 0 })
        else { return nil }
        start = Array("\(name)=".utf8)
        byteCount = start.count + value.count + 1
        unsafe text = UnsafeMutablePointer<CChar>.allocate(capacity: byteCount)
        unsafe text.initialize(repeating: 0, count: byteCount)
        for index in start.indices { unsafe text[index] = CChar(bitPattern: start[index]) }
        for index in value.indices {
            unsafe text[start.count + index] = CChar(bitPattern: value[index])
        }
    }

    deinit {
        unsafe explicit_bzero(text, byteCount)
        unsafe text.deallocate()
    }
}
