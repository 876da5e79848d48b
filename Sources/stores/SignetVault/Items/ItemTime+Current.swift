// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

extension ItemTime {
    /// Now, by the system's clock, which may be set back or forward.
    public static var current: ItemTime { now(by: .system) }

    /// Now, by a clock: the time that a store records for created and modified.
    public static func now(by clock: TimeSource) -> ItemTime {
        ItemTime(milliseconds: clock.millisecondsSince1970())
    }
}
