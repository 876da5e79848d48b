// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// Where a scan writes its entries.
protocol JSONRecordStore {
    var count: Int { get }
    /// Appends an entry.
    /// - Returns: false, with nothing appended, when there is no more room.
    mutating func append(_ record: JSONRecord) -> Bool
    /// An entry that has been appended.
    subscript(position: Int) -> JSONRecord { get set }
}

/// Room for the entries of a usual token, which needs no memory of its own: a claim takes two of them.
struct JSONFewRecords: JSONRecordStore {
    static let capacity = 56

    private(set) var places = InlineArray<56, JSONRecord>(repeating: JSONRecord.none)
    private(set) var count = 0

    @inline(__always)
    mutating func append(_ record: JSONRecord) -> Bool {
        guard count < Self.capacity else { return false }
        places[count] = record
        count &+= 1
        return true
    }

    @inline(__always)
    subscript(position: Int) -> JSONRecord {
        get { places[position] }
        set { places[position] = newValue }
    }
}

/// Room for any number of entries.
struct JSONManyRecords: JSONRecordStore {
    private(set) var places: ContiguousArray<JSONRecord> = []

    init(reserving capacity: Int) { places.reserveCapacity(capacity) }

    init(_ places: ContiguousArray<JSONRecord>) { self.places = places }

    var count: Int { places.count }

    @inline(__always)
    mutating func append(_ record: JSONRecord) -> Bool {
        places.append(record)
        return true
    }

    @inline(__always)
    subscript(position: Int) -> JSONRecord {
        get { places[position] }
        set { places[position] = newValue }
    }
}
