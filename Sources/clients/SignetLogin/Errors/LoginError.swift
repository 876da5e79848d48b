// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

public import SignetBase
package import SignetSession
internal import SignetSupabase

/// Why a ``LocalAccount`` has no person, no token or no sign-in.
///
/// It holds no token, no code and no secret. Two errors are equal when their codes are.
public typealias LoginError = CodedError<LoginErrorDomain>

/// The domain of ``LoginError``. A code that is not listed is that of `underlying`, the error of
/// the part that failed. Of a vault that may have the session, the codes are `locked`,
/// `unavailable` and `corrupt` alone, and `underlying` is the `StoreError`.
public enum LoginErrorDomain: ErrorDomain {
    /// Details besides the code. Comparing errors ignores them.
    public struct Details: Equatable, Sendable {
        package let problem: LoginProblem

        /// Details never make two errors differ.
        public static func == (a: Self, b: Self) -> Bool { true }
    }
}

extension LoginError.Code {
    /// Certainly there is no session: sign in.
    public static var signedOut: Self { Self(rawValue: "signedOut") }
    /// The account has a session: sign out first, or name another account.
    public static var signedIn: Self { Self(rawValue: "signedIn") }
    /// The keyring that has the vault's key is locked. The session may be there.
    public static var locked: Self { Self(rawValue: "locked") }
    /// The vault, its key, or the keyring that has it, is out of reach. The session may be there.
    public static var unavailable: Self { Self(rawValue: "unavailable") }
    /// The account is damaged, or the vault.
    public static var corrupt: Self { Self(rawValue: "corrupt") }
    /// The session is of a different server or client than the program's: the next sign-in ends it.
    public static var otherServer: Self { Self(rawValue: "otherServer") }
    /// The account's name is not of 1 to 64 bytes, or has control characters.
    public static var invalidName: Self { Self(rawValue: "invalidName") }
    /// The person has no verified address of an allowed domain.
    public static var unauthorizedDomain: Self { Self(rawValue: "unauthorizedDomain") }
    /// The server does not offer this way to sign in, or it cannot be restricted to some addresses.
    public static var unsupported: Self { Self(rawValue: "unsupported") }
    /// The server's metadata name no token endpoint.
    public static var invalidDocument: Self { Self(rawValue: "invalidDocument") }
    /// The code that the person typed is wrong, or has expired.
    public static var wrongCode: Self { Self(rawValue: "wrongCode") }
    /// A vault that did not open opens by now, and stays.
    package static var changed: Self { Self(rawValue: "changed") }
}

extension LoginError {
    /// How long to wait before a retry, if known.
    public var retryAfter: Duration? {
        (underlying as? SessionError)?.retryAfter ?? (underlying as? SupabaseError)?.retryAfter
    }

    /// Whether a vault is damaged, or has lost its key: unless its key comes back, only
    /// ``LocalAccounts/setAsideBroken()`` helps.
    public var isBroken: Bool { closed?.isBroken ?? false }

    /// The part of the program that has the error, for who tells a person what helps.
    package var problem: LoginProblem { details.problem }

    /// The vault that does not open, if that is why.
    package var closed: ClosedSessions? {
        if case .closed(let closed) = problem { closed } else { nil }
    }
}

/// The part that has an error.
package enum LoginProblem: Sendable {
    /// There is no home to keep sessions in, or the application's name is impossible.
    case folders
    /// A vault does not open.
    case closed(ClosedSessions)
    /// A vault that did not open opens by now.
    case opensByNow
    /// An open vault; `account` is nil if all accounts are concerned.
    case store(StoreError, account: String?, place: SessionsPlace)
    /// What is kept of the account cannot be understood.
    case settings
    /// The session.
    case session(SessionError, place: SessionsPlace)
    case signedOut
    case signedIn
    /// Another process was faster.
    case signedInMeanwhile
    /// The person is not one of those who may sign in.
    case otherPerson
    /// The sign-in; `underlying` has the error unless the error says all.
    case signIn
}
