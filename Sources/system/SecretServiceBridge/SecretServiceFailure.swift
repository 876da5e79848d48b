// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CLibsecret

/// A call to the Secret Service that failed.
///
/// It carries the name of the operation and the library's numbers, never the library's text, which
/// may hold labels, attributes and paths.
package struct SecretServiceFailure: Error, Sendable, Equatable {
    /// The kind of a failure.
    package enum Kind: Sendable, Equatable {
        /// There is no session bus to ask.
        case noBus
        /// The bus has no Secret Service, or the service went away during the call.
        case serviceUnavailable
        /// The collection or the item is locked.
        case locked
        /// A prompt was dismissed or could not be shown.
        case dismissed
        /// The deadline passed. A write may or may not have happened.
        case timedOut
        /// The caller gave up. A write may or may not have happened.
        case cancelled
        /// The item no longer exists.
        case noSuchObject
        /// No collection has the alias.
        case noCollection
        /// The service's answer does not follow the protocol.
        case `protocol`
        /// The message is longer than the bus accepts.
        case tooLarge
        /// The process is a child of `fork`, which has none of its parent's threads.
        case forked
        /// Anything else.
        case other
    }

    package let kind: Kind
    package let operation: String
    /// `io`, `dbus`, `secret`, or empty when no library reported an error.
    package let domain: String
    package let code: Int32
    /// Whether the service object belongs to a daemon that is gone: a new object may work.
    package let isDisconnection: Bool

    /// Whether there is no keyring here at all: there is no bus, or no process on the bus has the
    /// service's name and none can be started. False if a bus or a service refuses, is slow, or
    /// fails to start.
    package var meansNoKeyring: Bool {
        switch (kind, domain) {
        case (.noBus, "io"):
            Int(code) != SIGNET_IO_ERROR_TIMED_OUT && code != Self.permissionDenied
        case (.serviceUnavailable, "dbus"):
            [SIGNET_DBUS_ERROR_SERVICE_UNKNOWN, SIGNET_DBUS_ERROR_NAME_HAS_NO_OWNER].contains(
                Int(code))
        default: false
        }
    }

    /// G_IO_ERROR_PERMISSION_DENIED.
    private static let permissionDenied: Int32 = 14

    package init(
        _ kind: Kind, operation: String, domain: String = "", code: Int32 = 0,
        isDisconnection: Bool = false
    ) {
        self.kind = kind
        self.operation = operation
        self.domain = domain
        self.code = code
        self.isDisconnection = isDisconnection
    }
}

extension SecretServiceFailure {
    /// Translates an error of GLib, and frees it.
    static func taking(_ error: UnsafeMutablePointer<GError>, operation: String)
        -> SecretServiceFailure
    {
        let domain = unsafe error.pointee.domain
        let code = unsafe error.pointee.code
        defer { unsafe g_error_free(error) }
        let (name, (kind, isDisconnection)): (String, Meaning) =
            switch domain {
            case g_io_error_quark():
                (
                    "io",
                    ofInputOutput(Int(code), sessionIsGone: unsafe remoteErrorIsNoSession(error))
                )
            case g_dbus_error_quark(): ("dbus", ofBus(Int(code)))
            case secret_error_get_quark(): ("secret", (ofSecretService(Int(code)), false))
            default: ("other", (.other, false))
            }
        return SecretServiceFailure(
            kind, operation: operation, domain: name, code: code, isDisconnection: isDisconnection)
    }

    /// A code's kind, and whether a new service object may work.
    private typealias Meaning = (kind: Kind, isDisconnection: Bool)

    private static func ofInputOutput(_ code: Int, sessionIsGone: Bool) -> Meaning {
        switch code {
        case SIGNET_IO_ERROR_CANCELLED: (.cancelled, false)
        case SIGNET_IO_ERROR_TIMED_OUT: (.timedOut, false)
        case SIGNET_IO_ERROR_CLOSED, SIGNET_IO_ERROR_CONNECTION_CLOSED: (.serviceUnavailable, true)
        case SIGNET_IO_ERROR_DBUS_ERROR where sessionIsGone: (.serviceUnavailable, true)
        default: (.other, false)
        }
    }

    private static func ofBus(_ code: Int) -> Meaning {
        switch code {
        // NO_REPLY means that the peer left the bus in the middle of the call. For a peer that is
        // merely slow GIO reports a timeout.
        case SIGNET_DBUS_ERROR_SERVICE_UNKNOWN, SIGNET_DBUS_ERROR_NAME_HAS_NO_OWNER,
            SIGNET_DBUS_ERROR_NO_REPLY, SIGNET_DBUS_ERROR_NO_SERVER, SIGNET_DBUS_ERROR_DISCONNECTED:
            (.serviceUnavailable, true)
        case SIGNET_DBUS_ERROR_SPAWN_EXEC_FAILED...SIGNET_DBUS_ERROR_SPAWN_NO_MEMORY:
            (.serviceUnavailable, false)
        case SIGNET_DBUS_ERROR_TIMEOUT, SIGNET_DBUS_ERROR_TIMED_OUT: (.timedOut, false)
        case SIGNET_DBUS_ERROR_UNKNOWN_METHOD, SIGNET_DBUS_ERROR_UNKNOWN_OBJECT:
            (.noSuchObject, false)
        case SIGNET_DBUS_ERROR_LIMITS_EXCEEDED: (.tooLarge, false)
        default: (.other, false)
        }
    }

    private static func ofSecretService(_ code: Int) -> Kind {
        switch code {
        case SIGNET_SECRET_ERROR_PROTOCOL: .protocol
        case SIGNET_SECRET_ERROR_IS_LOCKED: .locked
        case SIGNET_SECRET_ERROR_NO_SUCH_OBJECT: .noSuchObject
        default: .other
        }
    }

    /// Whether the daemon does not know the session: it was restarted, and the session was agreed
    /// with the earlier daemon.
    private static func remoteErrorIsNoSession(_ error: UnsafeMutablePointer<GError>) -> Bool {
        guard let name = unsafe g_dbus_error_get_remote_error(error) else { return false }
        defer { unsafe g_free(name) }
        return unsafe String(cString: name) == "org.freedesktop.Secret.Error.NoSession"
    }
}
