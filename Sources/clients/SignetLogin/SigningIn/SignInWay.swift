// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetSignIn
public import SignetSupabase

/// How a person signs in.
///
/// The closures are called off the main thread, and must not wait for the person; only `read` of
/// ``code(to:digitCount:read:)`` may.
public enum SignInWay: Sendable {
    /// Shows a person what to do.
    public typealias Show = @Sendable (SignInPrompt) -> Void

    /// With a code that the person types on another device (RFC 8628). `timeout` is how long to
    /// wait for the person; nil means until the code expires.
    case device(timeout: Duration? = nil, show: Show)
    /// With this machine's browser, which answers on a port of 127.0.0.1 (`LoopbackSignIn`);
    /// `port` 0 lets the system choose. `timeout` is 1 to 600 s.
    case loopback(
        opensBrowser: Bool = true, port: UInt16 = 0, timeout: Duration = .seconds(300), show: Show)
    /// With this machine's browser if there is one, otherwise on another device, if the server
    /// offers that.
    case suitable(port: UInt16 = 0, timeout: Duration? = nil, show: Show)
    /// With a one-time code of 6 to 10 digits by phone or e-mail, at a Supabase project. `read`
    /// shows the prompt and returns what the person types, up to three times: first a prompt that
    /// the code was sent, and after a wrong code one that says so. It may suspend for as long as
    /// the person takes; a call that blocks belongs on a thread of your own. What it throws ends
    /// the sign-in, and is the error's `underlying`, or the error itself if it is a ``LoginError``.
    case code(
        to: SupabaseDestination, digitCount: Int = 6,
        read: @Sendable (SignInPrompt) async throws -> String)
}

/// What a person has to do next. Its description is a sentence to print.
public enum SignInPrompt: Sendable, CustomStringConvertible {
    /// Open this address with a browser on this machine, once. `isOpening` says whether the browser
    /// was started with it.
    case address(String, isOpening: Bool)
    /// Type a code on another device.
    case deviceCode(DeviceCode)
    /// Type the code that was sent to a phone number or an address.
    case codeSent(to: String)
    /// The code that was typed is not right, as the sentence says: type it again.
    case wrongCode(String)

    /// A sentence for the person.
    public var description: String {
        switch self {
        case .address(let address, isOpening: true):
            "Your browser opens; if not, open this address on this machine, once: \(address)"
        case .address(let address, isOpening: false):
            "Open this address once, with your browser on this machine: \(address)"
        case .deviceCode(let code):
            "On any device go to \(code.verificationURI) and enter the code \(code.userCode)"
        case .codeSent(let destination): "A code was sent to \(destination)"
        case .wrongCode(let sentence): sentence
        }
    }
}
