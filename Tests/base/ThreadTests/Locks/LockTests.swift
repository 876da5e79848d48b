// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SignetPlatform
import Testing

@Suite("Locks and clocks")
struct LockTests {
    private struct Refusal: Error, Equatable { let number: Int }

    private struct Token: ~Copyable { let number: Int }

    @Test("Eight threads count to the same number")
    func exclusion() {
        let lock = Lock()
        let locked = Locked(0)
        nonisolated(unsafe) var count = 0
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<10_000 {
                lock.withLock { unsafe count += 1 }
                locked.withLock { $0 += 1 }
            }
        }
        #expect(unsafe count == 80_000)
        #expect(locked.withLock { $0 } == 80_000)
    }

    @Test("The body's error is rethrown with its type, and the lock is free again")
    func errors() {
        let lock = Lock()
        let locked = Locked([1])
        for number in 0..<2 {
            do throws(Refusal) {
                try lock.withLock { () throws(Refusal) in throw Refusal(number: number) }
            } catch {
                #expect(error == Refusal(number: number))
            }
            do throws(Refusal) {
                try locked.withLock { (state) throws(Refusal) in
                    state.append(number)
                    throw Refusal(number: number)
                }
            } catch {
                #expect(error == Refusal(number: number))
            }
        }
        #expect(locked.withLock { $0 } == [1, 0, 1])
    }

    @Test("A body can return a noncopyable value")
    func uncopyable() {
        let token = Lock().withLock { Token(number: 7) }
        #expect(token.number == 7)
    }

    @Test("Trying a lock does not wait")
    func asking() {
        let lock = Lock()
        #expect(lock.withLockIfFree { 1 } == 1)
        let inside = lock.withLock { lock.withLockIfFree { 1 } }
        #expect(inside == nil)
    }

    @Test("The clock's milliseconds agree with its seconds")
    func milliseconds() {
        let before = SystemClock.secondsSince1970()
        let now = SystemClock.millisecondsSince1970()
        let after = SystemClock.secondsSince1970()
        // The two calls read clocks of different grain; one may be a tick behind.
        #expect(Int64(now / 1000) >= before - 1 && Int64(now / 1000) <= after + 1)
    }

    @Test("The process knows its identifier")
    func process() {
        #expect(ProcessIdentity.current == ProcessInfo.processInfo.processIdentifier)
    }
}
