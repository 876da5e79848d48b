// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetBase
internal import SignetEmail
internal import SignetSignIn

/// Sends to phones and to mailboxes by a sender for each, and reads a request's destination.
public struct SenderByDestination: MessageSender {
    private let phone, email: (any MessageSender)?

    /// Makes a sender of two, or of one if only one kind of destination is served.
    ///
    /// - Parameters:
    ///   - phone: for numbers; nil to send to none.
    ///   - email: for mailboxes; nil to send to none.
    public init(phone: (any MessageSender)?, email: (any MessageSender)?) {
        self.phone = phone
        self.email = email
    }

    /// A request's destination: its phone number or e-mail address, if there is a sender for that
    /// kind. Addresses become lower case, because people write their own in any case.
    ///
    /// - Throws: `invalidDestination` (400) unless the request has exactly one destination,
    ///   well-formed and of a kind with a sender.
    public func destination(
        phone number: String?, email address: String?
    ) throws(AccountError) -> CodeDestination {
        switch (number, address) {
        case (let number?, nil):
            // Every fault of a number or an address is answered by the error below.
            guard phone != nil, let phoneNumber = try? PhoneNumber(number) else { break }
            return .phone(phoneNumber)
        case (nil, let address?):
            guard email != nil, let mailbox = try? Mailbox(octets: address.utf8.map(\.inLowerCase))
            else { break }
            return .email(mailbox)
        default: break
        }
        throw AccountError(
            .invalidDestination, "Name one phone number or one e-mail address that codes go to.")
    }

    /// Hands a message to its sender.
    ///
    /// - Throws: `messageRefused` if no sender handles it; the sender's errors.
    public func send(_ message: CodeMessage) async throws(AccountError) {
        try await sender(to: message.destination).send(message)
    }

    /// Hands a notice to its sender.
    ///
    /// - Throws: `messageRefused` if no sender handles it; the sender's errors.
    public func send(_ notice: NoticeMessage) async throws(AccountError) {
        try await sender(to: notice.destination).send(notice)
    }

    private func sender(
        to destination: CodeDestination
    ) throws(AccountError) -> any MessageSender {
        let sender =
            switch destination {
            case .phone: phone
            case .email: email
            }
        guard let sender else {
            throw AccountError(.messageRefused, "Nothing sends messages to such a destination.")
        }
        return sender
    }
}

extension AccountError.Code {
    /// A request for a code names no destination, two destinations, a destination that cannot be
    /// used, or a page that its link must not lead to.
    public static var invalidDestination: Self { Self(rawValue: "invalidDestination") }
}
