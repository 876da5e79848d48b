// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetEmail
internal import SignetPlatform
internal import SignetSignIn

/// Sends what goes to phones by one sender, and what goes to mailboxes by another; and says what a
/// request's destination is.
public struct SenderByDestination: MessageSender {
    private let phone, email: (any MessageSender)?

    /// - Parameters:
    ///   - phone: for numbers; nil where none are sent to.
    ///   - email: for mailboxes; nil where none are sent to.
    public init(phone: (any MessageSender)?, email: (any MessageSender)?) {
        (self.phone, self.email) = (phone, email)
    }

    /// Where a request wants a code: the one of phone and e-mail address that is there, if
    /// something sends to its kind. An address is taken in lower case, as people write their own in
    /// any.
    ///
    /// - Throws: `invalidDestination` (400): none or both of them, malformed, or of a kind without
    ///   a sender.
    public func destination(
        phone number: String?, email address: String?
    ) throws(AccountError) -> CodeDestination {
        switch (number, address) {
        case (let number?, nil):
            guard phone != nil, let number = try? PhoneNumber(number) else { break }
            return .phone(number)
        case (nil, let address?):
            guard email != nil, let mailbox = try? Mailbox(octets: address.utf8.map(\.lowercased))
            else { break }
            return .email(mailbox)
        default: break
        }
        throw AccountError(
            .invalidDestination, "Name one phone number or one e-mail address that codes go to.")
    }

    /// Hands one message to its sender.
    ///
    /// - Throws: `messageRefused` if no sender handles it; as the sender.
    public func send(_ message: CodeMessage) async throws(AccountError) {
        let sender =
            switch message.destination {
            case .phone: phone
            case .email: email
            }
        guard let sender else {
            throw AccountError(.messageRefused, "Nothing sends messages to such a destination.")
        }
        try await sender.send(message)
    }
}

extension AccountError.Code {
    /// A request for a code names no destination, two, or one that none is sent to.
    public static var invalidDestination: Self { Self(rawValue: "invalidDestination") }
}
