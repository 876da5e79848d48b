// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

/// What a ``VaultCheckpointer`` knows of the log, as a value under its lock. The state decides when
/// the log is checkpointed; the checkpointer does it, outside of the lock.
struct CheckpointState {
    /// How long the log is, which decides what the writer does after its commit.
    enum LogLength {
        /// The writer goes on.
        case short
        /// The writer checkpoints, if no reader is in the way.
        case long
        /// The writer checkpoints, and waits for readers.
        case tooLong
    }

    /// What the timer does when it fires.
    enum TimerStep {
        /// Nothing is due: the next write sets the timer.
        case stop
        /// Writes go on: the timer is set again.
        case wait(Duration)
        case checkpoint(VaultCheckpointer.LogFileEnd)
    }

    /// How long no write has come before the timer checkpoints.
    static let quietTime = Duration.seconds(1)
    /// After this many bytes the writer checkpoints, if no reader is in the way. The log keeps its
    /// space then: syncing writes to a growing file costs more.
    private static let longLogByteCount: Int64 = 6 << 20
    /// After this many bytes the writer waits for readers. With a transaction of 4 MiB more, the
    /// log stays below 16 MB.
    private static let tooLongLogByteCount: Int64 = 11 << 20

    /// Whether the log is known to be this file's.
    var isLogProved: Bool
    /// Whether the vault was unlocked: its state is authentic.
    var wasUnlocked = false
    /// When the vault object last wrote something that is not checkpointed yet.
    var lastWrite: ContinuousClock.Instant?
    var isTimerSet = false
    /// How many bytes the vault object has written to the log since it was last checkpointed.
    var writtenByteCount: Int64 = 0
    /// The number of written bytes at which the writer tries to checkpoint next.
    private var nextCheckpointByteCount = Self.longLogByteCount

    init(isLogProved: Bool) { self.isLogProved = isLogProved }

    var logLength: LogLength {
        guard writtenByteCount >= nextCheckpointByteCount else { return .short }
        return isLogTooLong ? .tooLong : .long
    }

    private var isLogTooLong: Bool { writtenByteCount >= Self.tooLongLogByteCount }

    mutating func noteCheckpoint() {
        writtenByteCount = 0
        nextCheckpointByteCount = Self.longLogByteCount
    }

    /// Notes that the writer could not checkpoint. If it has waited for readers in vain, the log is
    /// twice as long at the next attempt, so that writes do not wait again and again.
    mutating func noteReadersInTheWay(ofLog length: LogLength) {
        nextCheckpointByteCount =
            length == .tooLong ? 2 * writtenByteCount : Self.tooLongLogByteCount
    }

    mutating func stepOfTimer() -> TimerStep {
        guard let lastWrite else {
            isTimerSet = false
            return .stop
        }
        let remaining = Self.quietTime - (.now - lastWrite)
        guard remaining > .zero else { return .checkpoint(.shortened) }
        // The writer has tried to checkpoint a log that is too long, and found readers in the way.
        return isLogTooLong ? .checkpoint(.kept) : .wait(remaining)
    }
}
