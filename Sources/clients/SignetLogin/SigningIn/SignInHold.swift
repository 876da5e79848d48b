// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetSession

/// The hold of one sign-in: a drain of the program's accounts waits for it, as well as the program.
final class SignInHold: ExchangeHold {
    private let program: (any ExchangeHold)?
    private let accounts: KeptAccounts
    private let isHeld = Locked(false)

    init(_ program: (any ExchangeHold)?, accounts: KeptAccounts) {
        self.program = program
        self.accounts = accounts
    }

    func begin(_ kind: ExchangeKind) throws(SessionError) {
        try isHeld.withLock { isHeld throws(SessionError) in
            guard !isHeld else { return }
            try accounts.beginSignIn()
            isHeld = true
        }
        do throws(SessionError) {
            try program?.begin(kind)
        } catch {
            end()
            throw error
        }
    }

    func releaseSignIn() {
        end()
        program?.releaseSignIn()
    }

    func add(drain: @escaping @Sendable () async -> Void) { program?.add(drain: drain) }

    /// Ends the wait of a drain. The program says by itself when its own hold ends.
    func end() {
        let wasHeld = isHeld.withLock { isHeld -> Bool in
            defer { isHeld = false }
            return isHeld
        }
        if wasHeld { accounts.endSignIn() }
    }
}
