// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Another and simpler reading of the same rules, for two domains of which the second lets its subdomains in.
struct AddressOracle {
    let exact: String
    let parent: String

    private static let word = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
    private static let atom = word.union("#$&'*+-/=?^_`{|}~".utf8)

    func allows(_ octets: [UInt8]) -> Bool {
        guard octets.count <= 254, let at = octets.firstIndex(of: 0x40) else { return false }
        let local = octets[..<at]
        let domain = octets[(at + 1)...].map { (0x41...0x5a).contains($0) ? $0 + 32 : $0 }
        guard local.count <= 64,
            isDotted(local, by: { !$0.isEmpty && $0.allSatisfy(Self.atom.contains) }),
            !isEncodedWord(String(decoding: local, as: UTF8.self))
        else { return false }
        if domain == Array(exact.utf8) || domain == Array(parent.utf8) { return true }
        let below = Array(".\(parent)".utf8)
        guard domain.count > below.count, Array(domain.suffix(below.count)) == below else {
            return false
        }
        return isDotted(domain.dropLast(below.count)) {
            (1...63).contains($0.count) && $0.allSatisfy { Self.word.contains($0) || $0 == 0x2d }
                && $0.first != 0x2d && $0.last != 0x2d
        }
    }

    private func isDotted(_ octets: ArraySlice<UInt8>, by isGood: (ArraySlice<UInt8>) -> Bool)
        -> Bool
    {
        octets.split(separator: 0x2e, omittingEmptySubsequences: false).allSatisfy(isGood)
    }

    private func isEncodedWord(_ local: String) -> Bool {
        guard let begin = local.firstRange(of: "=?") else { return false }
        return local[begin.upperBound...].contains("?=")
    }
}
