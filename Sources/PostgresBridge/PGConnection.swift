// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ
internal import CSignetOpenSSL
internal import SignetPlatform

/// The owner of one connection to PostgreSQL.
///
/// One thread at a time uses it. libpq never waits: the thread does, in `PGPatience`, for a bounded
/// time, and others may wake it. Only the look-up of a host's name blocks, inside of the C library.
/// A connection after whose call ``isUsable`` is false is closed and never used again.
@safe
package final class PGConnection: @unchecked Sendable {
    // nil once closed.
    private var handle: OpaquePointer?
    private let process = ProcessIdentity.current

    /// Connects.
    ///
    /// - Parameters:
    ///   - options: keywords and values as libpq's documentation has them (section 34.1.2); a later
    ///     one wins.
    ///   - patience: how long one address may take.
    /// - Throws: `unreachable`, `timedOut`, `interrupted`, `outOfMemory`, `misuse`.
    package init(
        _ options: [(name: String, value: String)], _ patience: consuming PGPatience
    ) throws(PGFailure) {
        guard csignet_openssl_keep() == 1 else { throw PGFailure(.outOfMemory) }
        guard !options.contains(where: { $0.name.utf8.contains(0) || $0.value.utf8.contains(0) })
        else { throw PGFailure(.misuse) }
        unsafe handle = Self.start(options)
        // From here on `deinit` closes it, also after an error.
        guard let handle = unsafe handle else { throw PGFailure(.outOfMemory) }
        unsafe cpq_be_quiet(handle)
        guard unsafe PQstatus(handle) != CONNECTION_BAD else { throw complaint() }
        var wanted = CPQ_WRITABLE
        var address: [UInt8] = []
        while true {
            // A name may have several addresses, and libpq goes on to the next one.
            let current = unsafe Self.address(of: handle)
            if current != address {
                address = current
                patience.beginAnew()
            }
            let found = try patience.wait(unsafe PQsocket(handle), wanted)
            // Asked too early, libpq takes the connection for established, and blocks in its own
            // wait until it is.
            guard found & wanted != 0 else { continue }
            switch unsafe PQconnectPoll(handle) {
            case PGRES_POLLING_OK: break
            case PGRES_POLLING_READING:
                wanted = CPQ_READABLE
                continue
            case PGRES_POLLING_WRITING:
                wanted = CPQ_WRITABLE
                continue
            default: throw complaint()
            }
            break
        }
        guard unsafe PQsetnonblocking(handle, 1) == 0 else { throw PGFailure(.lost) }
    }

    deinit { close() }

    /// Ends the connection; the server undoes what was not committed. Closing twice is nothing.
    package func close() {
        guard let open = unsafe handle else { return }
        unsafe handle = nil
        // In a child of `fork` the connection is the parent's, and stays as it is.
        if ProcessIdentity.current == process { unsafe PQfinish(open) }
    }

    /// Whether more can be asked over it: it is open, and the last answer was read to its end.
    package var isUsable: Bool {
        guard let handle = unsafe handle else { return false }
        return unsafe PQstatus(handle) == CONNECTION_OK
            && PQtransactionStatus(handle) != PQTRANS_ACTIVE
            && PQtransactionStatus(handle) != PQTRANS_UNKNOWN
    }

    /// Whether no transaction is open.
    package var isIdle: Bool {
        guard let handle = unsafe handle else { return false }
        return unsafe PQtransactionStatus(handle) == PQTRANS_IDLE
    }

    /// Whether the connection is idle, and the server has not ended it meanwhile.
    package var isQuiet: Bool {
        guard let handle = unsafe handle, isIdle else { return false }
        guard unsafe cpq_wait(PQsocket(handle), CPQ_READABLE, -1, 0) != 0 else { return true }
        // A setting that was changed, or last words: after those the end can still be read.
        return unsafe PQconsumeInput(handle) == 1
            && cpq_wait(PQsocket(handle), CPQ_READABLE, -1, 0) == 0
    }

    /// The server's version, 150018 for 15.18.
    package var serverVersion: Int {
        guard let handle = unsafe handle else { return 0 }
        return unsafe Int(PQserverVersion(handle))
    }

    /// What the server has said of a setting by itself (`server_encoding`).
    package func parameter(_ name: StaticString) -> String {
        guard let handle = unsafe handle,
            let text = unsafe PQparameterStatus(handle, name.description)
        else { return "" }
        return unsafe String(cString: text)
    }

    /// Whether the connection is encrypted.
    package var isEncrypted: Bool {
        guard let handle = unsafe handle else { return false }
        return unsafe PQsslInUse(handle) != 0
    }

    /// The handle of a connection that is open.
    func open() throws(PGFailure) -> OpaquePointer {
        guard let handle = unsafe handle else { throw PGFailure(.misuse) }
        return unsafe handle
    }

    @unsafe
    private static func address(of handle: OpaquePointer) -> [UInt8] {
        unsafe PQhostaddr(handle).map { Array(unsafe String(cString: $0).utf8) } ?? []
    }

    private static func start(_ options: [(name: String, value: String)]) -> OpaquePointer? {
        var names = unsafe options.map { unsafe cpq_copy($0.name) } + [nil]
        var values = unsafe options.map { unsafe cpq_copy($0.value) } + [nil]
        defer {
            for index in unsafe names.indices { unsafe cpq_drop(names[index]) }
            for index in unsafe values.indices { unsafe cpq_drop(values[index]) }
        }
        // A copy that is missing would end the list there, and with it what authenticates the
        // server.
        guard
            unsafe (names.dropLast() + values.dropLast()).allSatisfy({ copy in unsafe copy != nil })
        else { return nil }
        return unsafe names.withUnsafeMutableBufferPointer { names in
            unsafe values.withUnsafeMutableBufferPointer { values in
                unsafe cpq_connect_start(names.baseAddress, values.baseAddress)
            }
        }
    }

    /// Why no connection was made.
    private func complaint() -> PGFailure {
        guard let handle = unsafe handle, let text = unsafe PQerrorMessage(handle) else {
            return PGFailure(.unreachable)
        }
        let octets = Array(unsafe String(cString: text).utf8)
        // The server may say what it likes, and has heard the password perhaps.
        if let password = unsafe PQpass(handle) {
            let secret = Array(unsafe String(cString: password).utf8)
            guard secret.isEmpty || !octets.holds(secret) else { return PGFailure(.unreachable) }
        }
        return PGFailure(.unreachable, text: octets.printable)
    }
}

extension [UInt8] {
    fileprivate func holds(_ part: [UInt8]) -> Bool {
        guard part.count <= count else { return false }
        return (0...(count - part.count)).contains { self[$0..<($0 + part.count)] == part[...] }
    }

    /// At most 300 characters of ASCII in one line.
    fileprivate var printable: String {
        let shown = prefix(300).map { (0x20...0x7e).contains($0) ? $0 : 0x20 }
        let words = shown.split(separator: 0x20).joined(separator: [0x20])
        return String(decoding: Array(words), as: UTF8.self)
    }
}
