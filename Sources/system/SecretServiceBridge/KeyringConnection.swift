// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CLibsecret
internal import SignetBase

/// The service object and the calls on it. It never leaves the thread of its ``ServiceThread``,
/// which passes it to each piece of work.
///
/// The object is kept from call to call. It is not the object that libsecret shares within the
/// process, so it is harmless to drop it after a restart of the daemon. Its collections are never
/// loaded: every search makes new proxies of items, with their properties at that moment.
@safe
package final class KeyringConnection {
    typealias ErrorPointer = UnsafeMutablePointer<UnsafeMutablePointer<GError>?>

    private var bus: OpaquePointer?
    private var service: OpaquePointer?
    /// The unique bus name of the daemon that `service` was made for.
    private var owner: String?
    private var cancellation: Cancellation?
    private let prompts = PromptWatch()
    /// The number with which the watch is removed from `bus`.
    private var watchNumber: UInt32 = 0

    init() {}

    /// Begins a job: until it ends, its cancellation cancels every call.
    func beginJob(_ job: ServiceJob) {
        cancellation = job.cancellation
        prompts.job.withLock { $0 = job }
    }

    func endJob() {
        prompts.job.withLock { $0 = nil }
        cancellation = nil
    }

    /// Whether the job's caller already has an answer, because the deadline passed or the task was
    /// cancelled.
    package var isCancelled: Bool { cancellation?.isCancelled ?? false }

    /// Drops the service object; the next call makes a new one.
    func disconnect() {
        if let service = unsafe service { unsafe g_object_unref(UnsafeMutableRawPointer(service)) }
        if let bus = unsafe bus {
            unsafe g_dbus_connection_remove_filter(bus, watchNumber)
            unsafe g_object_unref(UnsafeMutableRawPointer(bus))
        }
        unsafe service = nil
        unsafe bus = nil
        owner = nil
    }

    /// Makes a call. If the daemon is gone or was replaced, makes the call once more with a new
    /// service object.
    ///
    /// `body` must be repeatable: it only reads, or writes the same the second time. An answer
    /// without an error is left to `body`, because GLib does not count false and null as errors.
    func callReconnecting<R>(
        _ operation: String, _ body: (OpaquePointer, OpaquePointer?, ErrorPointer) -> R
    ) throws(SecretServiceFailure) -> R {
        do throws(SecretServiceFailure) {
            return try unsafe callOnce(operation, body)
        } catch  where error.isDisconnection {
            disconnect()
            return try unsafe callOnce(operation, body)
        }
    }

    /// Makes a call once.
    func callOnce<R>(
        _ operation: String, _ body: (OpaquePointer, OpaquePointer?, ErrorPointer) -> R
    ) throws(SecretServiceFailure) -> R {
        let service = try unsafe connectedService()
        var error: UnsafeMutablePointer<GError>?
        let result = unsafe body(service, cancellation?.pointer, &error)
        if let error = unsafe error {
            throw unsafe SecretServiceFailure.taking(error, operation: operation)
        }
        return result
    }

    /// Reads a property as it is at this moment. It asks the daemon, because a proxy knows only
    /// what was true when it last handled a signal.
    ///
    /// - Returns: what `body` makes of the value, which it must not keep.
    func property<R>(
        _ name: String, of path: String, interface: String, _ body: (OpaquePointer) -> R?
    ) throws(SecretServiceFailure) -> R {
        try unsafe callMethod(
            "Get", of: path, interface: "org.freedesktop.DBus.Properties", operation: "property",
            parameters: { unsafe [g_variant_new_string(interface), g_variant_new_string(name)] },
            reading: { reply in
                guard unsafe Self.typeText(of: reply) == "(v)" else { return nil }
                let boxed = unsafe g_variant_get_child_value(reply, 0)
                defer { unsafe g_variant_unref(boxed) }
                guard let value = unsafe g_variant_get_variant(boxed) else { return nil }
                defer { unsafe g_variant_unref(value) }
                return unsafe body(value)
            })
    }

    /// Calls a method of the daemon, which must be safe to call twice.
    ///
    /// - Parameters:
    ///   - parameters: makes the arguments, as floating references; the call takes them over.
    ///   - reading: nil for an answer that does not follow the protocol.
    /// - Returns: what `reading` makes of the answer.
    func callMethod<R>(
        _ method: String, of path: String, interface: String, operation: String,
        parameters: () -> [OpaquePointer?], reading: (OpaquePointer) -> R?
    ) throws(SecretServiceFailure) -> R {
        let reply = try unsafe callReconnecting(operation) {
            _, cancellable, error -> OpaquePointer? in
            guard let bus = unsafe bus, let owner else { return nil }
            let children = unsafe parameters()
            let tuple = unsafe children.withUnsafeBufferPointer {
                unsafe g_variant_new_tuple($0.baseAddress, UInt($0.count))
            }
            return unsafe g_dbus_connection_call_sync(
                bus, owner, path, interface, method, tuple, nil, UInt32(SIGNET_CALL_FLAGS_NONE), -1,
                cancellable, error)
        }
        guard let reply = unsafe reply else {
            throw SecretServiceFailure(.serviceUnavailable, operation: operation)
        }
        defer { unsafe g_variant_unref(reply) }
        guard let result = unsafe reading(reply) else {
            throw SecretServiceFailure(.protocol, operation: operation)
        }
        return result
    }

    /// The texts of an array of paths.
    static func paths(in array: OpaquePointer) -> [String] {
        unsafe (0..<g_variant_n_children(array)).compactMap { index in
            let path = unsafe g_variant_get_child_value(array, index)
            defer { unsafe g_variant_unref(path) }
            return unsafe g_variant_get_string(path, nil).map { unsafe String(cString: $0) }
        }
    }

    /// The type of a value as D-Bus writes it, such as `(v)`.
    static func typeText(of value: OpaquePointer) -> String? {
        unsafe g_variant_get_type_string(value).map { unsafe String(cString: $0) }
    }

    /// The service object that is kept, if its daemon still has the service's name on an open bus;
    /// otherwise a new one.
    private func connectedService() throws(SecretServiceFailure) -> OpaquePointer {
        if let bus = unsafe bus, unsafe g_dbus_connection_is_closed(bus) != 0 { disconnect() }
        if let service = unsafe service {
            // If the name has a new owner, the signal about it was handled before this job began.
            if let owner, unsafe Self.owner(of: service) == owner { return unsafe service }
            disconnect()
        }
        let operation = "connect"
        var error: UnsafeMutablePointer<GError>?
        unsafe bus = g_bus_get_sync(
            GBusType(SIGNET_BUS_TYPE_SESSION), cancellation?.pointer, &error)
        if let error = unsafe error {
            let failure = unsafe SecretServiceFailure.taking(error, operation: operation)
            guard failure.kind != .cancelled else { throw failure }
            throw SecretServiceFailure(
                .noBus, operation: operation, domain: failure.domain, code: failure.code)
        }
        if let bus = unsafe bus { watchNumber = unsafe prompts.startWatching(bus) }
        // Otherwise GIO would end the whole process, with SIGTERM, when the bus goes away.
        unsafe g_dbus_connection_set_exit_on_close(bus, 0)
        unsafe service = secret_service_open_sync(
            secret_service_get_type(), nil, UInt32(SIGNET_SERVICE_NONE), cancellation?.pointer,
            &error)
        if let error = unsafe error {
            throw unsafe SecretServiceFailure.taking(error, operation: operation)
        }
        guard let service = unsafe service else {
            throw SecretServiceFailure(.other, operation: operation)
        }
        owner = unsafe Self.owner(of: service)
        return unsafe service
    }

    private static func owner(of service: OpaquePointer) -> String? {
        guard let name = unsafe g_dbus_proxy_get_name_owner(service) else { return nil }
        defer { unsafe g_free(name) }
        return unsafe String(cString: name)
    }
}
