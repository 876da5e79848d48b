// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// `=?charset?encoding?text?=` of RFC 2047, which an address must not have (section 5) but some
/// mail servers decode: `=?utf-8?q?a=40evil.example?=@company.example` is then a different person's
/// address.
enum EncodedWord {
    /// Whether there are a beginning and, after it, an end, whatever stands between.
    static func isIn(_ octets: ArraySlice<UInt8>) -> Bool {
        guard let begin = position(of: "=?", in: octets) else { return false }
        return position(of: "?=", in: octets[(begin + 2)...]) != nil
    }

    private static func position(of mark: String, in octets: ArraySlice<UInt8>) -> Int? {
        let marks = Array(mark.utf8)
        return octets.indices.first { octets[$0...].starts(with: marks) }
    }
}
