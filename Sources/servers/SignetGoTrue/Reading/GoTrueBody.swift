// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetAccounts
internal import SignetEmail
internal import SignetJOSE
internal import SignetSignIn

/// The object in a request's body, read strictly, such as
/// `{"email":"Ann@example.com","password":"…","data":{"city":"Rome"},"gotrue_meta_security":null}`:
///
///     let body = try GoTrueBody(request)
///     let mailbox = try body.email()  // ann@example.com
///     let code = try body.text("token", upTo: 64)  // nil
///
/// A null member counts as absent, because clients write null for absent values. Unknown members
/// are ignored. A member of the wrong type is a refusal, `bad_json`.
struct GoTrueBody {
    /// The longest name, kind, code or challenge, in bytes.
    static let maximumWordByteCount = 64
    /// The longest nonce of an ID token, in bytes.
    static let maximumNonceByteCount = 512
    private static let maximumDestinationByteCount = 1_024
    /// More than any accepted password has.
    private static let maximumPasswordByteCount = 8_192
    private static let maximumCaptchaByteCount = 8_192
    /// The most values and names in a body, together.
    private static let maximumNodeCount = 4_096

    private let root: JSONNode

    init(_ request: GoTrueRequest) throws(GoTrueRefusal) {
        guard request.body.count <= GoTrueRequest.maximumBodyByteCount else {
            throw GoTrueRefusal(
                413, code: "validation_failed",
                message: "The body has more than \(GoTrueRequest.maximumBodyByteCount) bytes")
        }
        guard Self.isJSON(request.values(of: "content-type")) else { throw .badJSON }
        // Every fault of the text gets the same answer.
        let document = try? JSONDocument(
            request.body, maximumByteCount: GoTrueRequest.maximumBodyByteCount,
            maximumNodeCount: Self.maximumNodeCount)
        guard let document, document.root.isObject else { throw .badJSON }
        root = document.root
    }

    /// Whether the values of `Content-Type` are one, and it is JSON. A page of a foreign site can
    /// send a form or plain text without permission, so neither is read.
    private static func isJSON(_ values: [String]) -> Bool {
        guard values.count == 1, let value = values.first else { return false }
        let type = value.utf8.prefix { $0 != UInt8(ascii: ";") }
        return Array(type)[...].trimmed.map(\.inLowerCase)
            .elementsEqual("application/json".utf8)
    }

    /// A member's value; nil if the member is absent or null.
    private func nonNullMember(_ name: String) -> JSONNode? {
        root.member(name).flatMap { $0.isNull ? nil : $0 }
    }

    /// A member's text as received, to compare byte for byte; nil if the text is empty or absent.
    ///
    /// - Parameter count: the longest text, in bytes.
    func received(_ name: String, upTo count: Int) throws(GoTrueRefusal) -> ReceivedText? {
        guard let member = nonNullMember(name) else { return nil }
        guard let text = member.text else { throw .badJSON }
        guard text.byteCount <= count else {
            // Without its own length: the value may be a secret.
            throw .invalid("The value of \(shown: name) has more than \(count) bytes")
        }
        return text.isEmpty ? nil : text
    }

    /// A member's text to pass on, not to compare; nil if the text is empty or absent.
    func text(_ name: String, upTo count: Int) throws(GoTrueRefusal) -> String? {
        try received(name, upTo: count)?.swiftString()
    }

    /// Whether the body has this member, of any type but null.
    func hasMember(_ name: String) -> Bool { nonNullMember(name) != nil }

    /// True or false; nil if the member is absent.
    func flag(_ name: String) throws(GoTrueRefusal) -> Bool? {
        guard let member = nonNullMember(name) else { return nil }
        guard let value = member.boolValue else { throw .badJSON }
        return value
    }

    /// The response to a CAPTCHA.
    func captcha() throws(GoTrueRefusal) -> String? {
        guard let security = nonNullMember("gotrue_meta_security") else { return nil }
        guard security.isObject else { throw .badJSON }
        guard let token = security.member("captcha_token"), !token.isNull else { return nil }
        guard let text = token.text, text.byteCount <= Self.maximumCaptchaByteCount else {
            throw .badJSON
        }
        return text.swiftString()
    }

    /// The secret that an earlier response gave this client. A malformed secret counts as absent: a
    /// client that has lost its secret must still get in.
    func device() -> DeviceSecret? {
        let shown = try? text("device", upTo: Self.maximumWordByteCount)
        return shown.flatMap { DeviceSecret($0) }
    }

    /// The user's own metadata.
    func metadata() throws(GoTrueRefusal) -> GoTrueMetadata? {
        guard let member = nonNullMember("data") else { return nil }
        return try GoTrueMetadata(received: member)
    }

    /// The password as typed; nil if there is none.
    func password(_ member: String = "password") throws(GoTrueRefusal) -> Password? {
        guard let typed = try text(member, upTo: Self.maximumPasswordByteCount) else { return nil }
        do throws(SignInInputError) { return try Password(typed) } catch {
            throw .invalid("The password is too long, or has a character that cannot be typed")
        }
    }

    /// The destination: either a phone number or an e-mail address.
    func destination() throws(GoTrueRefusal) -> CodeDestination {
        switch (try phone(), try email()) {
        case (let phone?, nil): return .phone(phone)
        case (nil, let email?): return .email(email)
        case (nil, nil): throw .invalid("One of email or phone must be set")
        case (_?, _?):
            throw .invalid("Only an email address or phone number should be provided")
        }
    }

    /// Whether `email` or `phone` has a text that is not empty. The texts are not parsed.
    func namesDestination() throws(GoTrueRefusal) -> Bool {
        if try received("email", upTo: Self.maximumDestinationByteCount) != nil { return true }
        return try received("phone", upTo: Self.maximumDestinationByteCount) != nil
    }

    /// A number with or without its plus, possibly with spaces, as GoTrue accepts it.
    func phone() throws(GoTrueRefusal) -> PhoneNumber? {
        guard let text = try received("phone", upTo: Self.maximumDestinationByteCount) else {
            return nil
        }
        var digits = text.utf8.filter { $0 != UInt8(ascii: " ") }[...]
        if digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        do throws(SignInInputError) {
            return try PhoneNumber(withoutPlus: String(decoding: digits, as: UTF8.self))
        } catch {
            throw .invalid("Invalid phone number format (E.164 required)")
        }
    }

    /// An address in lower case. Codes go to the lower-case address, so a right code proves control
    /// of exactly that mailbox.
    func email() throws(GoTrueRefusal) -> Mailbox? {
        guard let text = try received("email", upTo: Self.maximumDestinationByteCount) else {
            return nil
        }
        do throws(MailboxError) {
            return try Mailbox(octets: text.utf8.map(\.inLowerCase))
        } catch {
            throw .invalid("Unable to validate email address: invalid format")
        }
    }
}
