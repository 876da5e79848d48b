// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CLibPQ

/// A value that goes over the connection in binary form.
package enum PGValue: Sendable {
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
    case null
}

/// The server's answer to a statement.
package struct PGAnswer: Sendable {
    package let rows: [[PGValue]]
    /// The server's name for what it did: `COMMIT`, or `ROLLBACK` if it rolled back instead.
    package let command: String
}

// A call gives libpq a statement (`PQsend…`), which libpq only queues. `readAnswer` then sends what
// is queued, waits, and reads the answer:
//
//     let answer = try connection.run("SELECT 1::bigint", within: limit)
//     answer.rows  // [[.integer(1)]]
//
// Each call may throw `lost`, `timedOut`, `interrupted` or `refused`. After an error, `isUsable`
// says whether the connection can still be used.
extension PGConnection {
    /// Runs a statement without values. Only for Signet's own constant text.
    package func run(
        _ text: String, within deadline: consuming PGDeadline
    ) throws(PGFailure) -> PGAnswer {
        let handle = unsafe try openHandle()
        guard !text.utf8.contains(0) else { throw PGFailure(.misuse) }
        // 0 and nil: no values.
        try requireSent(
            unsafe PQsendQueryParams(
                handle, text, 0, nil, nil, nil, nil, PGParameters.binaryForm))
        return unsafe try readAnswer(&deadline) { (result) throws(PGFailure) in
            unsafe try PGAnswer(result)
        }
    }

    /// Has the server prepare a statement.
    ///
    /// - Returns: the types of the values that the statement takes.
    package func prepare(
        _ text: String, as name: String, within deadline: consuming PGDeadline
    ) throws(PGFailure) -> [PGType] {
        let handle = unsafe try openHandle()
        guard !text.utf8.contains(0), !name.utf8.contains(0) else { throw PGFailure(.misuse) }
        // 0 and nil: the server finds the types of the values.
        try requireSent(unsafe PQsendPrepare(handle, name, text, 0, nil))
        unsafe try readAnswer(&deadline) { (_) throws(PGFailure) in }
        try requireSent(unsafe PQsendDescribePrepared(handle, name))
        return unsafe try readAnswer(&deadline) { (result) throws(PGFailure) in
            unsafe (0..<PQnparams(result)).map { unsafe PGType(PQparamtype(result, $0)) }
        }
    }

    /// Runs a prepared statement whose values have the given types.
    package func run(
        prepared name: String, values: [PGValue], types: [PGType],
        within deadline: consuming PGDeadline
    ) throws(PGFailure) -> PGAnswer {
        let handle = unsafe try openHandle()
        guard values.count == types.count else {
            throw PGFailure(.valueCount(values.count, expected: types.count))
        }
        let parameters = try PGParameters(values, types: types)
        let count = Int32(values.count)
        try requireSent(
            unsafe parameters.withPointers { values, lengths, formats in
                unsafe PQsendQueryPrepared(
                    handle, name, count, values, lengths, formats, PGParameters.binaryForm)
            })
        return unsafe try readAnswer(&deadline) { (result) throws(PGFailure) in
            unsafe try PGAnswer(result)
        }
    }

    /// - Parameter code: the result of a `PQsend…`, which is 1 for a queued statement.
    private func requireSent(_ code: Int32) throws(PGFailure) {
        guard code == 1 else { throw PGFailure(.lost) }
    }

    /// How long a wait relies on the socket alone, in milliseconds: see ``consume()``.
    private var longestWait: Double { isEncrypted ? 20 : PGDeadline.longestWait }

    /// Sends what libpq has queued, waits for the answer and reads it to its end. libpq gives the
    /// answer as results, one after the other, and then NULL.
    private func readAnswer<Value>(
        _ deadline: inout PGDeadline,
        _ read: (OpaquePointer) throws(PGFailure) -> Value
    ) throws(PGFailure) -> Value {
        let handle = unsafe try openHandle()
        try flush(&deadline)
        var value: Value?
        var firstFailure: PGFailure?
        while true {
            while unsafe PQisBusy(handle) != 0 {
                _ = try deadline.wait(
                    unsafe PQsocket(handle), for: CPQ_READABLE, upTo: longestWait)
                try consume()
            }
            guard let result = unsafe PQgetResult(handle) else { break }
            defer { unsafe PQclear(result) }
            do {
                unsafe try Self.requireSuccess(result)
                value = unsafe try read(result)
            } catch {
                firstFailure = firstFailure ?? error
                // Our statements never use COPY. During one, `PQgetResult` would never return NULL.
                guard error.kind != .misuse else { throw error }
            }
        }
        if let firstFailure { throw firstFailure }
        guard let value else { throw PGFailure(.lost) }
        return value
    }

    /// Sends what libpq has queued. A connection that breaks meanwhile is no error here: reading
    /// the answer says why.
    private func flush(_ deadline: inout PGDeadline) throws(PGFailure) {
        let handle = unsafe try openHandle()
        while true {
            let left = unsafe PQflush(handle)
            guard left >= 0 else {
                // The server's last words before it ended the connection may still be there.
                _ = unsafe PQconsumeInput(handle)
                return
            }
            guard left != 0 else { return }
            let found = try deadline.wait(
                unsafe PQsocket(handle), for: CPQ_READABLE | CPQ_WRITABLE)
            if found & CPQ_READABLE != 0 { try consume() }
        }
    }

    /// Reads what is there; under TLS, more than once. A call may leave a part of what OpenSSL has
    /// already read, and that part does not make the socket readable. No number of calls is certain
    /// to be enough, so no wait on an encrypted connection relies on its socket for long.
    private func consume() throws(PGFailure) {
        let handle = unsafe try openHandle()
        for _ in 0..<(isEncrypted ? 4 : 1) {
            // After an error `PQgetResult` reads the server's last words.
            guard unsafe PQconsumeInput(handle) == 1 else { return }
        }
    }

    @unsafe
    private static func requireSuccess(_ result: OpaquePointer) throws(PGFailure) {
        switch unsafe PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE: return
        case PGRES_FATAL_ERROR:
            guard let text = unsafe cpq_state(result),
                let state = SQLState(Array(unsafe String(cString: text).utf8))
            else { throw PGFailure(.lost) }
            throw PGFailure(.refused, state: state)
        default: throw PGFailure(.misuse)  // COPY, which our statements never use
        }
    }
}

extension PGAnswer {
    @unsafe
    fileprivate init(_ result: OpaquePointer) throws(PGFailure) {
        let types = unsafe (0..<PQnfields(result)).map { unsafe PGType(PQftype(result, $0)) }
        var rows: [[PGValue]] = []
        for row in unsafe 0..<PQntuples(result) {
            var values: [PGValue] = []
            for (type, column) in zip(types, Int32(0)...) {
                values.append(unsafe try Self.value(result, row: row, column: column, type: type))
            }
            rows.append(values)
        }
        self.rows = rows
        command = unsafe PQcmdStatus(result).map { unsafe String(cString: $0) } ?? ""
    }

    @unsafe
    private static func value(
        _ result: OpaquePointer, row: Int32, column: Int32, type: PGType
    ) throws(PGFailure) -> PGValue {
        if unsafe PQgetisnull(result, row, column) != 0 { return .null }
        guard let start = unsafe PQgetvalue(result, row, column) else {
            throw PGFailure(.foreignType)
        }
        let count = unsafe Int(PQgetlength(result, row, column))
        guard count >= 0 else { throw PGFailure(.foreignType) }
        let octets = unsafe start.withMemoryRebound(to: UInt8.self, capacity: count) {
            unsafe Array(UnsafeBufferPointer(start: $0, count: count))
        }
        guard let value = type.value(octets) else { throw PGFailure(.foreignType) }
        return value
    }
}
