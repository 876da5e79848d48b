// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto

extension AuthFlow {
    /// The destination of a code: a phone number or an e-mail address. Printing shows neither.
    public struct Destination: Sendable, Hashable, Redacted {
        /// The address's UTF-8 bytes.
        public let bytes: [UInt8]

        /// An address of 1 to 320 bytes without control characters; nil for anything else.
        ///
        /// **Not** checked: that it is a phone number or an e-mail address.
        public init?(_ text: String) {
            guard let bytes = personalBytes(text, atMost: 320) else { return nil }
            self.bytes = bytes
        }

        /// The address as text.
        public var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    /// A code that a person typed. Printing does not show it, and its memory is wiped.
    public struct Code: Sendable, Equatable, Redacted {
        private let storage: SecretKey

        /// A code of 1 to 128 bytes without control characters; nil for anything else.
        ///
        /// **Not** checked: how many digits it has.
        public init?(_ text: String) {
            guard let bytes = personalBytes(text, atMost: 128) else { return nil }
            storage = SecretKey(copying: bytes)
        }

        /// Gives the code's bytes to `body`. A copy that `body` makes is not wiped.
        public func withExposedBytes<R, E: Error>(
            _ body: (Span<UInt8>) throws(E) -> R
        ) throws(E) -> R {
            try storage.withExposedBytes(body)
        }
    }

    /// The values that a person typed into the profile's form. Printing shows nothing of them.
    public struct ProfileDraft: Sendable, Equatable, Redacted {
        /// The username's UTF-8 bytes.
        public let username: [UInt8]?
        /// The UTF-8 bytes of the full name.
        public let fullName: [UInt8]?

        /// **Not** checked: whether the app allows the username, and whether it is still free.
        public init(username: String? = nil, fullName: String? = nil) {
            self.username = username.map { Array($0.utf8) }
            self.fullName = fullName.map { Array($0.utf8) }
        }
    }

    /// An app's name for a provider.
    public struct Provider: RawRepresentable, Sendable, Hashable {
        /// The name.
        public let rawValue: String

        /// A provider by its name.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

/// The bytes of a person's or server's text; nil if it is empty, too long, or has a character that
/// no address, id or code has.
func personalBytes(_ text: String, atMost limit: Int) -> [UInt8]? {
    let bytes = text.utf8.prefix(limit + 1)
    guard (1...limit).contains(bytes.count), bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
        return nil
    }
    return Array(bytes)
}
