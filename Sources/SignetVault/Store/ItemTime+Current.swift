// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SystemBridge

extension ItemTime {
    /// The system's clock.
    static var current: ItemTime { ItemTime(milliseconds: WallClock.millisecondsSince1970()) }
}
