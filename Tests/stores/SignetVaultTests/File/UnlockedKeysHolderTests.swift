// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import SignetVault
import Testing

@Suite("The keys of an unlocked store")
struct UnlockedKeysHolderTests {
    private final class Keys: Sendable {}

    private func holder(_ clock: ManualClock) -> UnlockedKeysHolder<Keys> {
        let holder = UnlockedKeysHolder<Keys>(
            of: "store", idleLimit: .seconds(100), hub: .hub(for: "test"), clock: clock.source)
        holder.begin(Keys())
        return holder
    }

    @Test("A call with an earlier clock reading finds it open")
    func earlier() throws {
        let clock = ManualClock()
        let holder = holder(clock)
        clock.advance(by: .seconds(50))
        _ = try holder.use()
        clock.advance(by: .seconds(-1))
        _ = try holder.use()
        #expect(!holder.isLocked)
    }

    @Test(
        "It locks once the clock has moved past the limit, in either direction",
        arguments: [100, 5_000, -100, -5_000])
    func jumps(seconds: Int) {
        let clock = ManualClock()
        let holder = holder(clock)
        clock.advance(by: .seconds(seconds))
        #expect(throws: StoreError(.locked, "")) { try holder.use() }
        #expect(holder.isLocked)
    }
}
