// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import CRawSQLite

// The only file here that hands addresses to C.

/// SQLite alone, writing the same rows.
@safe
final class BareDatabase {
    private let pointer: OpaquePointer
    private var buffer: [UInt8]

    init(path: String) throws {
        let meta = Population.sealedMetaByteCount
        let value = Population.sealedValueByteCount
        guard let made = unsafe raw_store_new(path, meta, value) else {
            throw BenchmarkError.setup("the bare database cannot be made")
        }
        unsafe pointer = made
        buffer = [UInt8](repeating: 0, count: meta + value)
    }

    deinit { unsafe raw_store_free(pointer) }

    /// One durable transaction.
    func write(_ indices: some Sequence<Int>) throws {
        try check(unsafe raw_store_begin(pointer))
        for index in indices {
            try check(
                unsafe raw_store_put(
                    pointer, Population.bareID(index), Population.bareGroup(index), Int64(index) + 1
                ))
        }
        try check(unsafe raw_store_commit(pointer))
    }

    func delete(_ indices: some Sequence<Int>) throws {
        try check(unsafe raw_store_begin(pointer))
        for index in indices {
            try check(unsafe raw_store_delete(pointer, Population.bareID(index), Int64(index) + 1))
        }
        try check(unsafe raw_store_commit(pointer))
    }

    /// Empties the log, so that the file's size is that of its contents.
    func checkpoint() throws { try check(unsafe raw_store_checkpoint(pointer)) }

    func read(_ index: Int) throws {
        try check(unsafe raw_store_get(pointer, Population.bareID(index), &buffer))
    }

    func list(serviceOf index: Int) -> Int {
        unsafe Int(raw_store_list(pointer, Population.bareGroup(index), &buffer))
    }

    private func check(_ status: Int32) throws {
        guard status == 1 else { throw BenchmarkError.wrongAnswer("the bare database") }
    }

    static var libraryVersion: String { unsafe String(cString: raw_sqlite_version()) }
}
