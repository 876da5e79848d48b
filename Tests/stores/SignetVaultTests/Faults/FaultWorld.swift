// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import FaultVFS

/// A disk that fails, for the connections that name it as their VFS.
/// Tests/stores/FaultVFS/include/fault_vfs.h says what it does.
@safe
final class FaultWorld: @unchecked Sendable {
    struct Operations: OptionSet, Sendable, CustomStringConvertible {
        let rawValue: Int32
        static let write = Operations(rawValue: 1)
        static let sync = Operations(rawValue: 2)
        static let truncate = Operations(rawValue: 4)
        static let delete = Operations(rawValue: 8)
        static let create = Operations(rawValue: 16)
        static let read = Operations(rawValue: 32)
        /// All that change the disk.
        static let any = Operations(rawValue: 31)

        var description: String {
            ["write", "sync", "truncate", "delete", "create", "read"].enumerated()
                .filter { rawValue & (1 << $0.offset) != 0 }.map(\.element).joined(separator: "|")
        }
    }

    enum Fault: Int32, CaseIterable, Sendable {
        /// Nothing is done, and an I/O error is reported.
        case fail = 1
        /// Nothing is done, because the disk is full.
        case full = 2
        /// Half of a write is done, then the disk is full.
        case short = 3
        /// A sync is reported as done, and not done.
        case lie = 4
    }

    /// What a power cut leaves of what was not synced.
    enum Cut: Int32, CaseIterable, Sendable {
        case loseAll = 1
        case keepSome = 2
        case keepFirst = 3
        case tearLast = 4
        case keepAll = 5
    }

    private let world: OpaquePointer

    struct NoMemory: Error {}

    init() throws {
        guard let made = unsafe fault_world_create() else { throw NoMemory() }
        unsafe world = made
    }

    deinit { unsafe fault_world_destroy(world) }

    /// The name of the VFS.
    var name: String { unsafe String(cString: fault_world_name(world)) }

    /// Makes the n-th operation from now fail, counting from 1; with `forGood`, all from then on. 0
    /// cancels it.
    func arm(_ fault: Fault, at n: Int, of operations: Operations = .any, forGood: Bool = false) {
        unsafe fault_world_arm(
            world, operations.rawValue, UInt64(n), fault.rawValue, forGood ? 1 : 0)
    }

    /// Cuts the power during the n-th operation from now.
    func armCut(_ cut: Cut, at n: Int, of operations: Operations = .any, seed: UInt64 = 0) {
        unsafe fault_world_arm_cut(world, operations.rawValue, UInt64(n), cut.rawValue, seed)
    }

    func disarm() { arm(.fail, at: 0) }

    /// Cuts the power now, unless it is off.
    func powerCut(_ cut: Cut, seed: UInt64 = 0) {
        unsafe fault_world_power_cut(world, cut.rawValue, seed)
    }

    var isOff: Bool { unsafe fault_world_is_off(world) != 0 }

    func powerOn() { unsafe fault_world_power_on(world) }

    /// Restarts the counts at 0.
    func reset() { unsafe fault_world_reset(world) }

    func count(_ operations: Operations = .any) -> Int {
        Int(unsafe fault_world_count(world, operations.rawValue))
    }

    /// How many operations were made to fail.
    var faultCount: Int { Int(unsafe fault_world_fault_count(world)) }

    /// How many bytes the last power cut discarded.
    var lostBytes: Int { Int(unsafe fault_world_lost_bytes(world)) }

    /// The last operation that was made to fail, for a failure's text.
    var lastFault: String {
        var text = [CChar](repeating: 0, count: 128)
        unsafe fault_world_last_fault(world, &text, Int32(text.count))
        return String(
            decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
