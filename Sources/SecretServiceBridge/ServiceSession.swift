// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CLibsecret

/// The service object and the calls on it. Lives and dies on one thread of ``ServiceThread``; work gets it lent.
///
/// The object is kept from call to call. It is our own, not the one that libsecret shares within the process: dropping it after
/// the daemon was started again disturbs nobody. Its collections are never loaded, so that every search makes new proxies of items,
/// whose properties are those of this moment.
@safe
package final class ServiceSession {
    typealias ErrorPointer = UnsafeMutablePointer<UnsafeMutablePointer<GError>?>

    private var bus: OpaquePointer?
    private var service: OpaquePointer?
    /// The unique bus name of the daemon that `service` was made for.
    private var owner: String?
    private var cancellation: Cancellation?

    init() {}

    /// A job begins: its cancellation is that of all calls until it ends.
    func begin(_ cancellation: Cancellation) { self.cancellation = cancellation }

    func end() { cancellation = nil }

    /// Drops the service object; the next call makes a new one.
    func disconnect() {
        if let service = unsafe service { unsafe g_object_unref(UnsafeMutableRawPointer(service)) }
        if let bus = unsafe bus { unsafe g_object_unref(UnsafeMutableRawPointer(bus)) }
        unsafe service = nil
        unsafe bus = nil
        owner = nil
    }

    /// Makes a call. When the daemon turns out to be another one than before, or gone, it is made once more with a new object.
    ///
    /// `body` must be repeatable: asking, or writing what is the same the second time. What it makes of an answer without an
    /// error is its own affair: false and null are no errors for GLib.
    func attempt<R>(
        _ operation: String, _ body: (OpaquePointer, OpaquePointer?, ErrorPointer) -> R
    ) throws(SecretServiceFailure) -> R {
        do throws(SecretServiceFailure) {
            return try unsafe once(operation, body)
        } catch  where error.isDisconnection {
            disconnect()
            return try unsafe once(operation, body)
        }
    }

    /// Makes a call once.
    func once<R>(
        _ operation: String, _ body: (OpaquePointer, OpaquePointer?, ErrorPointer) -> R
    ) throws(SecretServiceFailure) -> R {
        let service = try unsafe connected()
        var error: UnsafeMutablePointer<GError>?
        let result = unsafe body(service, cancellation?.pointer, &error)
        if let error = unsafe error { throw unsafe SecretServiceFailure.taking(error, operation) }
        return result
    }

    /// A service object of the daemon that is there now, made for this one question.
    func fresh<R>(
        flags: UInt32, _ operation: String, _ body: (OpaquePointer) -> R
    ) throws(SecretServiceFailure) -> R {
        // The bus first, with what has to be done to it.
        _ = try unsafe attempt(operation) { _, _, _ in true }
        var error: UnsafeMutablePointer<GError>?
        let service = unsafe secret_service_open_sync(
            secret_service_get_type(), nil, flags, cancellation?.pointer, &error)
        if let error = unsafe error { throw unsafe SecretServiceFailure.taking(error, operation) }
        guard let service = unsafe service else { throw SecretServiceFailure(.other, operation) }
        defer { unsafe g_object_unref(UnsafeMutableRawPointer(service)) }
        return unsafe body(service)
    }

    private func connected() throws(SecretServiceFailure) -> OpaquePointer {
        if let bus = unsafe bus, unsafe g_dbus_connection_is_closed(bus) != 0 { disconnect() }
        if let service = unsafe service {
            // The signal that the name has a new owner was taken before this job began.
            if let owner, unsafe Self.owner(of: service) == owner { return unsafe service }
            disconnect()
        }
        let operation = "connect"
        var error: UnsafeMutablePointer<GError>?
        unsafe bus = g_bus_get_sync(GBusType(SIGNET_BUS_TYPE_SESSION), cancellation?.pointer, &error)
        if let error = unsafe error {
            let failure = unsafe SecretServiceFailure.taking(error, operation)
            guard failure.kind != .cancelled else { throw failure }
            throw SecretServiceFailure(.noBus, operation, domain: failure.domain, code: failure.code)
        }
        // GIO would end the whole process, with SIGTERM, when the bus goes away.
        unsafe g_dbus_connection_set_exit_on_close(bus, 0)
        unsafe service = secret_service_open_sync(
            secret_service_get_type(), nil, UInt32(SIGNET_SERVICE_NONE), cancellation?.pointer,
            &error)
        if let error = unsafe error { throw unsafe SecretServiceFailure.taking(error, operation) }
        guard let service = unsafe service else { throw SecretServiceFailure(.other, operation) }
        owner = unsafe Self.owner(of: service)
        return unsafe service
    }

    private static func owner(of service: OpaquePointer) -> String? {
        guard let name = unsafe g_dbus_proxy_get_name_owner(service) else { return nil }
        defer { unsafe g_free(name) }
        return unsafe String(cString: name)
    }
}
