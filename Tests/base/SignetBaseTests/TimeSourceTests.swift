// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import SignetBase
import Testing

@Suite("The clock")
struct TimeSourceTests {
    @Test("The system clock gives whole seconds to tokens and milliseconds to stores")
    func system() async {
        let source = TimeSource.system
        let before = source.elapsed()
        let seconds = source.now().secondsSince1970
        #expect(seconds == seconds.rounded() && seconds > 1_700_000_000)
        #expect(source.millisecondsSince1970() >= UInt64(seconds) * 1000)
        await source.sleep(for: .milliseconds(2))
        #expect(source.elapsed() - before >= .milliseconds(2))
    }

    @Test(
        "A pause of any length is a pause", .timeLimit(.minutes(20)),
        arguments: [
            Duration(attoseconds: .max), .seconds(Int64.max), .seconds(9.3e18),
            Duration(attoseconds: .min), .seconds(Int64.min), .seconds(-9.3e18),
        ])
    func anyPause(_ duration: Duration) async throws {
        let (isBegun, isOver) = (Locked(false), Locked(false))
        let pause = Task {
            isBegun.withLock { $0 = true }
            await TimeSource.system.sleep(for: duration)
            isOver.withLock { $0 = true }
        }
        while !isBegun.withLock({ $0 }) { await Task.yield() }
        try await Task.sleep(for: .milliseconds(20))
        if duration > .zero { #expect(!isOver.withLock { $0 }) }
        pause.cancel()
        await pause.value
    }

    @Test("A fixed clock stands still, while elapsed time runs")
    func fixed() async {
        let source = TimeSource.fixed(secondsSince1970: 7)
        let before = source.elapsed()
        await source.sleep(for: .milliseconds(2))
        #expect(source.elapsed() - before >= .milliseconds(2))
        #expect(source.now() == NumericDate(secondsSince1970: 7))
    }

    @Test(
        "Milliseconds are rounded, and never before 1970",
        arguments: [
            (0.005, 5), (0.0004, 0), (1_700_000_000.123, 1_700_000_000_123), (-1, 0),
            (-.infinity, 0),
            (.nan, 9_007_199_254_740_992_000), (1e300, 9_007_199_254_740_992_000),
        ] as [(Double, UInt64)])
    func milliseconds(_ seconds: Double, _ expected: UInt64) {
        #expect(TimeSource.fixed(secondsSince1970: seconds).millisecondsSince1970() == expected)
    }

    @Test("Parts that a caller leaves out come from the system")
    func parts() async {
        let slow = TimeSource(elapsed: { .seconds(1) })
        #expect(slow.elapsed() == .seconds(1) && slow.now().secondsSince1970 > 1_700_000_000)
        // In milliseconds too, which the system's seconds would cut off.
        var before = slow.millisecondsSince1970()
        while before % 1000 == 0 { before = TimeSource.system.millisecondsSince1970() }
        #expect(slow.millisecondsSince1970() >= before)
        let still = TimeSource { NumericDate(secondsSince1970: 3) }
        #expect(still.now().secondsSince1970 == 3)
    }

    @Test("A pause of zero or less ends at once")
    func noPause() async {
        let source = ManualClock().source
        await source.sleep(for: .zero)
        await source.sleep(for: .seconds(-1))
    }

    @Test("A manual clock advances when told to, and can be set")
    func manual() {
        let clock = ManualClock(secondsSince1970: 5)
        let (source, start) = (clock.source, clock.source.elapsed())
        clock.advance(by: .milliseconds(1500))
        #expect(
            source.now().secondsSince1970 == 6.5 && source.elapsed() - start == .milliseconds(1500))
        clock.now = NumericDate(secondsSince1970: 1)
        #expect(
            source.now().secondsSince1970 == 1 && source.elapsed() - start == .milliseconds(1500))
        clock.advance(by: .seconds(-1))
        #expect(
            source.now().secondsSince1970 == 0 && source.elapsed() - start == .milliseconds(500))
        clock.advance(by: .seconds(Int64.max))
        #expect(source.now().secondsSince1970 == 10_000_000_000)
    }

    @Test(
        "Sleepers of a manual clock wake when it has advanced far enough", .timeLimit(.minutes(20)))
    func sleepers() async {
        let clock = ManualClock()
        let source = clock.source
        let sleeper = Task { await source.sleep(for: .seconds(2)) }
        while clock.sleeperCount == 0 { await Task.yield() }
        clock.advance(by: .milliseconds(1999))
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .milliseconds(1))
        await sleeper.value
        let cancelled = Task { await source.sleep(for: .seconds(2)) }
        while clock.sleeperCount == 0 { await Task.yield() }
        cancelled.cancel()
        await cancelled.value
        #expect(clock.sleeperCount == 0)
    }
}
