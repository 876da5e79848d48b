// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetEmail

/// The published list of public suffixes, which is not part of this repository (MPL-2.0): from the file that
/// `SIGNET_PUBLIC_SUFFIX_LIST` names, from the folder beside the package that developers have, or from Debian's package.
enum PublishedSuffixes {
    static let environmentVariable = "SIGNET_PUBLIC_SUFFIX_LIST"
    private static let debian = "/usr/share/publicsuffix/public_suffix_list.dat"

    /// The file of the commit that the test's figures are from, if it is there. One that is named and cannot be read is an
    /// empty list, which fails the tests: only a machine without one may skip them.
    static let ofTheFigures: [UInt8]? = {
        let variable = ProcessInfo.processInfo.environment[environmentVariable]
        if let variable, !variable.isEmpty { return contents(variable) ?? [] }
        // swift test runs in the package's root.
        let found = contents("../shared/vectors/psl/public_suffix_list.txt")
        if found == nil {
            print(
                "Public suffixes: not run with the published test. Set \(environmentVariable) to public_suffix_list.dat."
            )
        }
        return found
    }()

    /// Any published list, of whatever date.
    static let any: [UInt8]? = ofTheFigures ?? contents(debian)

    static let debians: [UInt8]? = contents(debian)

    private static func contents(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map { [UInt8]($0) }
    }
}

/// Encodes labels as they stand: enough for figures, which are in normal form.
struct PlainPunycode: DomainConverter {
    func asciiDomain(_ text: String) -> String? {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false).map {
            label -> String? in
            if label.utf8.allSatisfy({ $0 < 0x80 }) { return String(label) }
            return Punycode.encode(label.unicodeScalars).map {
                "xn--" + String(decoding: $0, as: UTF8.self)
            }
        }
        return labels.contains(nil) ? nil : labels.compactMap(\.self).joined(separator: ".")
    }
}
