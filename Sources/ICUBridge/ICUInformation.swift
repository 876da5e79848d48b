// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CICU

/// Which ICU is loaded, and which Unicode it knows.
package enum ICUInformation {
    /// A version's four numbers, compared from the left.
    package struct Version: Sendable, Hashable, Comparable {
        package let fields: [UInt8]

        package init(_ major: UInt8, _ minor: UInt8 = 0) {
            fields = [major, minor, 0, 0]
        }

        init(fields: [UInt8]) {
            self.fields = fields
        }

        /// The first two numbers, as people write them.
        package var text: String { fields.prefix(2).map(String.init).joined(separator: ".") }

        package static func < (a: Version, b: Version) -> Bool {
            a.fields.lexicographicallyPrecedes(b.fields)
        }
    }

    /// ICU's own version, for example 72.1.
    package static var library: Version {
        var fields = [UInt8](repeating: 0, count: 4)
        unsafe cicu_library_version(&fields)
        return Version(fields: fields)
    }

    /// The version of Unicode that it was built for, for example 15.0.
    package static var unicode: Version {
        var fields = [UInt8](repeating: 0, count: 4)
        unsafe cicu_unicode_version(&fields)
        return Version(fields: fields)
    }

    /// Whether that version of Unicode assigns a character to the code point.
    package static func isAssigned(_ scalar: Unicode.Scalar) -> Bool {
        var fields = [UInt8](repeating: 0, count: 4)
        unsafe cicu_age(Int32(bitPattern: scalar.value), &fields)
        return Version(fields: fields) > Version(0)
    }
}
