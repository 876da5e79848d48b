// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CICU

/// ICU's UTS #46, opened once and usable on any thread.
///
/// `@unchecked Sendable`: ICU documents an opened instance as immutable and safe to share.
@safe
package final class DomainProcessor: @unchecked Sendable {
    /// The result for a name.
    package enum Outcome: Sendable, Equatable {
        /// Its ASCII form. A trailing dot stays.
        case ascii([UInt8])
        /// ICU's reasons (the bits `UIDNA_ERROR_...`).
        case refused(problems: UInt32)
        /// Longer than the limit, or longer than any domain once converted.
        case tooLong
        /// ICU gave up: no memory, or a label of more than a thousand characters.
        case failed(ICUFailure)
    }

    /// The limit of a name, in octets of UTF-8. Any valid domain is shorter, unless it is padded
    /// with characters that vanish; ICU's time grows with the square of a label's length (1.5 ms at
    /// most for this).
    package static let maximumByteCount = 4096

    /// A domain's 253 octets and the dot of the root (RFC 1035, section 2.3.4).
    private static let maximumASCIIByteCount = 254

    private let idna: OpaquePointer

    package init() throws(ICUFailure) {
        var status = cicu_ok
        let opened = unsafe cicu_open_uts46(&status)
        guard let opened = unsafe opened else { throw ICUFailure(code: status) }
        unsafe idna = opened
    }

    deinit {
        unsafe cicu_close(idna)
    }

    /// ToASCII of UTS #46, checked as strictly as ICU can.
    package func ascii(_ name: String) -> Outcome {
        // One octet more than the name: ICU accepts no null pointer, and an empty array may be
        // passed as one.
        let source = Array(name.utf8) + [0]
        guard source.count - 1 <= Self.maximumByteCount,
            let length = Int32(exactly: source.count - 1)
        else {
            return .tooLong
        }
        var status = cicu_ok
        var problems: UInt32 = 0
        var target = [CChar](repeating: 0, count: Self.maximumASCIIByteCount)
        let capacity = Int32(target.count)
        let count = unsafe source.withUnsafeBytes { bytes in
            unsafe cicu_name_to_ascii(
                idna, bytes.assumingMemoryBound(to: CChar.self).baseAddress, length, &target,
                capacity,
                &problems,
                &status)
        }
        if problems != 0 { return .refused(problems: problems) }
        if status == cicu_buffer_overflow { return .tooLong }
        guard status <= cicu_ok, count >= 0, count <= capacity else {
            return .failed(ICUFailure(code: status))
        }
        return .ascii(target.prefix(Int(count)).map(UInt8.init(bitPattern:)))
    }
}
