// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetEmail
public import SignetSignIn

/// The destination of a one-time code. Printing does not show it.
public enum CodeDestination: Sendable, Hashable, Redacted {
    /// A message to a phone. NIST SP 800-63B calls this a restricted authenticator, because numbers
    /// can be hijacked.
    case phone(PhoneNumber)
    /// A message to a mailbox.
    case email(Mailbox)

    /// The number with its `+`, or the address.
    public var exposedText: String {
        switch self {
        case .phone(let number): number.e164
        case .email(let mailbox): mailbox.text
        }
    }

    /// The exact destination, to which a code is bound.
    var bytes: [UInt8] { [kind] + Array(exposedText.utf8) }

    /// The bytes that limits count. Most servers ignore case in the local part, so its spellings
    /// share a limit, but not codes.
    var limited: [UInt8] { [kind] + exposedText.utf8.map(\.inLowerCase) }

    /// The first byte of a destination in sealed messages and in the keys of rows.
    static let phoneKind: UInt8 = 1
    static let emailKind: UInt8 = 2

    private var kind: UInt8 {
        switch self {
        case .phone: Self.phoneKind
        case .email: Self.emailKind
        }
    }

    /// The destination that ``bytes`` were made of; nil for any other bytes.
    init?(bytes: ArraySlice<UInt8>) {
        let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
        switch bytes.first {
        case Self.phoneKind:
            guard let number = try? PhoneNumber(text) else { return nil }
            self = .phone(number)
        case Self.emailKind:
            let options = Mailbox.Options(
                allowsQuotedLocalPart: true, allowsRouting: true, allowsUnicodeLocalPart: true)
            guard let mailbox = try? Mailbox(text, options: options) else { return nil }
            self = .email(mailbox)
        default: return nil
        }
    }
}
