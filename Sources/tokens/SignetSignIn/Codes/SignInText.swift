// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// The sentences that people read during a sign-in, letter for letter those of the programs that
/// Signet was made for.
public enum SignInText {
    /// The phone number is invalid.
    public static let invalidPhoneNumber = "Please enter a valid phone number"
    /// The code is wrong or has expired; the server does not say which.
    public static let wrongCode = "Invalid code. Please try again."
    /// There were too many requests.
    public static let tooManyAttempts = "Too many attempts. Please wait a few minutes."
    /// There is no account.
    public static let noAccount = "Account not found. Please sign up."
    /// The server was not reached.
    public static let noConnection = "No internet connection. Please try again."
    /// There is no session.
    public static let notAuthenticated = "Not authenticated. Please sign in."
    /// The session is over.
    public static let sessionExpired = "Session expired. Please sign in again."
    /// A server refused for an unknown reason.
    public static let unknownError = "Unknown error"

    /// Only accounts of the company may sign in.
    public static let businessAccount = "Sign in with your business account"
    /// The person may decide later whether to lock the app.
    public static let skipForNow = "Skip for now"

    /// The app asks for a session.
    public static let signInToContinue = "Please sign in to continue."
    /// The server does not allow the action.
    public static let notPermitted = "You don't have permission to do that."
    /// The device is offline, and the app shows stored data meanwhile.
    public static let offline = "You're offline. Some features may be unavailable."
    /// A request failed.
    public static let somethingWrong = "Something went wrong. Please try again."
    /// The account could not be deleted.
    public static let accountNotDeleted = "Could not delete account. Please try again."

    /// There is no sensor, or no finger or face is enrolled.
    public static let biometryUnavailable =
        "Biometric authentication is not available on this device"
    /// The finger or face was not recognised.
    public static let biometryFailed = "Biometric authentication failed"
    /// The person gave up.
    public static let authenticationCancelled = "Authentication was cancelled"

    /// No code was typed, or the code does not have this length.
    public static func enterCode(digitCount: Int = 6) -> String {
        "Please enter the \(digitCount)-digit code"
    }

    /// No code was sent, and why.
    public static func codeNotSent(_ reason: String) -> String { "Failed to send code: \(reason)" }

    /// A provider's sign-in brought no ID token.
    public static func noIDToken(from provider: String) -> String {
        "Failed to get ID token from \(provider)"
    }

    /// A server answered with an unexpected status.
    public static func httpError(_ status: Int) -> String { "HTTP error: \(status)" }
}
