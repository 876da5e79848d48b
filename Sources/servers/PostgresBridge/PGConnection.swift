// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ
internal import SignetBase

/// The owner of a connection to PostgreSQL, through libpq, PostgreSQL's library in C.
///
///     let wake = try PGWake()
///     let limit = PGDeadline(.seconds(5), wake: wake, interruption: nil)
///     let connection = try PGConnection([("host", "db.example")], within: limit)
///     let answer = try connection.run("SELECT 1::bigint", within: limit)
///
/// One thread at a time uses it. libpq never waits: the thread does, in `PGDeadline`, for a bounded
/// time, and other threads may wake it. Only looking up a host's name blocks, inside the C library.
/// If ``isUsable`` is false after a call, its owner closes the connection and uses it no more.
@safe  // Swift cannot check calls in C: the handle stays in this module, and is closed once.
package final class PGConnection: @unchecked Sendable {
    // Functions with `PQ` are libpq's, and functions with `cpq_` wrap libpq and system calls in C.

    /// libpq's connection; nil once closed.
    private var handle: OpaquePointer?
    /// The process that connected.
    private let process = cpq_process()

    /// Connects.
    ///
    /// - Parameters:
    ///   - options: keywords and values as in libpq's documentation (section 34.1.2). If a keyword
    ///     occurs twice, the later value wins.
    ///   - deadline: how long an address may take.
    /// - Throws: `unreachable`, `lost`, `timedOut`, `interrupted`, `outOfMemory`, `misuse`.
    package init(
        _ options: [(name: String, value: String)], within deadline: consuming PGDeadline
    ) throws(PGFailure) {
        guard !options.contains(where: { $0.name.utf8.contains(0) || $0.value.utf8.contains(0) })
        else { throw PGFailure(.misuse) }
        unsafe handle = Self.start(options)
        // From here on `deinit` closes it, even after an error.
        guard let handle = unsafe handle else { throw PGFailure(.outOfMemory) }
        unsafe cpq_be_quiet(handle)
        guard unsafe PQstatus(handle) != CONNECTION_BAD else { throw connectionFailure() }
        unsafe try finishConnecting(handle, within: &deadline)
        guard unsafe PQsetnonblocking(handle, 1) == 0 else { throw PGFailure(.lost) }
    }

    deinit { close() }

    /// Ends the connection; the server undoes what was not committed. Closing twice does nothing.
    package func close() {
        guard let open = unsafe handle else { return }
        unsafe handle = nil
        // In a child of `fork` the connection is the parent's, and is left as it is.
        if cpq_process() == process { unsafe PQfinish(open) }
    }

    /// Whether it can take another statement: it is open, and the last answer was read to its end.
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

    /// Whether the connection is idle, and the server has not ended it in the meantime.
    package var isQuiet: Bool {
        guard let handle = unsafe handle, isIdle else { return false }
        guard unsafe hasArrived(handle) else { return true }
        // The arrived bytes are a changed setting, or the server's last words. After last words the
        // socket stays readable, because the end of the connection follows.
        return unsafe PQconsumeInput(handle) == 1
            && !hasArrived(handle)
    }

    /// Whether there is anything to read, or an error, without a wait.
    @unsafe
    private func hasArrived(_ handle: OpaquePointer) -> Bool {
        // No descriptor to be woken by (-1), and no time to wait.
        unsafe cpq_wait(PQsocket(handle), CPQ_READABLE, -1, 0) != 0
    }

    /// The server's version, for example 150018 for 15.18.
    package var serverVersion: Int {
        guard let handle = unsafe handle else { return 0 }
        return unsafe Int(PQserverVersion(handle))
    }

    /// The value of a setting that the server reports unasked, such as `server_encoding`.
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
    func openHandle() throws(PGFailure) -> OpaquePointer {
        guard let handle = unsafe handle else { throw PGFailure(.misuse) }
        return unsafe handle
    }

    /// Goes on with the connection whenever its socket is ready, until it is made.
    @unsafe
    private func finishConnecting(
        _ handle: OpaquePointer, within deadline: inout PGDeadline
    ) throws(PGFailure) {
        var wanted = CPQ_WRITABLE
        var address: [UInt8] = []
        while true {
            // A name may have several addresses: libpq may have gone on to the next address.
            let current = unsafe Self.address(of: handle)
            if current != address {
                address = current
                deadline.beginAnew()
            }
            let found = try deadline.wait(unsafe PQsocket(handle), for: wanted)
            // If `PQconnectPoll` is called too early, libpq assumes that the connection is
            // established, and blocks in a wait of its own until it is.
            guard found & wanted != 0 else { continue }
            switch unsafe PQconnectPoll(handle) {
            case PGRES_POLLING_OK: return
            case PGRES_POLLING_READING: wanted = CPQ_READABLE
            case PGRES_POLLING_WRITING: wanted = CPQ_WRITABLE
            default: throw connectionFailure()  // PGRES_POLLING_FAILED
            }
        }
    }

    /// The address that libpq connects to at the moment; empty if it has none.
    @unsafe
    private static func address(of handle: OpaquePointer) -> [UInt8] {
        unsafe PQhostaddr(handle).map { Array(unsafe String(cString: $0).utf8) } ?? []
    }

    /// Has libpq begin to connect; nil without memory.
    private static func start(_ options: [(name: String, value: String)]) -> OpaquePointer? {
        var names = unsafe options.map { unsafe cpq_copy($0.name) } + [nil]
        var values = unsafe options.map { unsafe cpq_copy($0.value) } + [nil]
        defer {
            for index in unsafe names.indices { unsafe cpq_drop(names[index]) }
            for index in unsafe values.indices { unsafe cpq_drop(values[index]) }
        }
        // A missing copy would end the list there, and the options behind it, such as those that
        // authenticate the server, would be ignored.
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
    private func connectionFailure() -> PGFailure {
        guard let handle = unsafe handle, let text = unsafe PQerrorMessage(handle) else {
            return PGFailure(.unreachable)
        }
        let octets = Array(unsafe String(cString: text).utf8)
        // The text may quote the server, which can say what it likes and may know the password.
        if let password = unsafe PQpass(handle) {
            let secret = Array(unsafe String(cString: password).utf8)
            guard secret.isEmpty || !octets.contains(sequence: secret) else {
                return PGFailure(.unreachable)
            }
        }
        return PGFailure(.unreachable, text: octets.printable)
    }
}

extension [UInt8] {
    fileprivate func contains(sequence part: [UInt8]) -> Bool {
        guard part.count <= count else { return false }
        return (0...(count - part.count)).contains { self[$0..<($0 + part.count)] == part[...] }
    }

    /// The first 300 octets as one line of ASCII.
    fileprivate var printable: String {
        let shown = prefix(300).map { (0x20...0x7e).contains($0) ? $0 : 0x20 }
        let words = shown.split(separator: 0x20).joined(separator: [0x20])
        return String(decoding: Array(words), as: UTF8.self)
    }
}
