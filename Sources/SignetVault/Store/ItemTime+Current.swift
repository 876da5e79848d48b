// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SystemBridge

extension ItemTime {
    /// Now, by the system's clock, which may be set back or forth.
    public static var current: ItemTime {
        ItemTime(milliseconds: WallClock.millisecondsSince1970())
    }
}
