// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CSignetCurl
internal import SignetBase

/// The sockets of a transfer, which any thread may shut.
///
/// libcurl does not watch the time while OpenSSL runs, and OpenSSL does not return while a peer
/// keeps sending records that it skips (empty HelloRequest records of TLS 1.2). Only the end of the
/// connection stops that. A descriptor is removed from here, under the lock, before it is closed,
/// so a descriptor that the system has already reused is never shut.
///
/// Each open socket holds a reference to this object: some releases of libcurl close connections
/// later, when the transfer's handle is gone.
final class TransferSockets: Sendable {
    private struct State {
        /// At most two at a time, one for each address family.
        var open: [Int32] = []
        var isShut = false
    }

    private let reach: CurlRequest.Reach
    private let state = Locked(State())

    init(_ reach: CurlRequest.Reach) { self.reach = reach }

    /// Shuts the open sockets, and opens no more.
    func shut() {
        state.withLock { state in
            state.isShut = true
            for descriptor in state.open { ccurl_socket_shut(descriptor) }
        }
    }

    /// Makes a handle use the sockets of this object. The caller must keep this object as long as
    /// the handle lives.
    @unsafe
    func set(_ easy: UnsafeMutableRawPointer) -> Int32 {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        return unsafe ccurl_set_sockets(
            easy,
            { context, _, address in
                guard let context = unsafe context, let address = unsafe address else {
                    return ccurl_socket_none()
                }
                let itself = unsafe Unmanaged<TransferSockets>.fromOpaque(context)
                let descriptor = unsafe itself.takeUnretainedValue().open(address)
                if descriptor >= 0 { _ = unsafe itself.retain() }
                return descriptor
            },
            { context, descriptor in
                guard let context = unsafe context else { return ccurl_socket_close(descriptor) }
                let itself = unsafe Unmanaged<TransferSockets>.fromOpaque(context)
                if unsafe itself.takeUnretainedValue().forget(descriptor) {
                    unsafe itself.release()
                }
                return ccurl_socket_close(descriptor)
            }, context)
    }

    /// Opens a socket to an address within reach; no socket after ``shut()``.
    @unsafe
    private func open(_ address: UnsafePointer<curl_sockaddr>) -> Int32 {
        state.withLock { state in
            guard !state.isShut else { return ccurl_socket_none() }
            let descriptor = unsafe ccurl_socket_open(address, reach.rawValue)
            if descriptor >= 0 { state.open.append(descriptor) }
            return descriptor
        }
    }

    /// Removes a descriptor that is about to be closed; false if it is not of this object.
    private func forget(_ descriptor: Int32) -> Bool {
        state.withLock { state in
            guard let index = state.open.firstIndex(of: descriptor) else { return false }
            state.open.remove(at: index)
            return true
        }
    }
}
