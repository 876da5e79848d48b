// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// The launch, the store and its lock.
extension TransitionTable {
    static let launch: [(Situation, String)] = [
        (
            .notLaunched,
            """
            launch | checking | start:readStore publish | S0-15 S1-28 S3-3
            sendCode verify signIn submitProfile | = | notHere | S0-15 S1-28
            deleteAccount unlock back retry | = | notHere | S0-15 S1-28
            lock | locked | lockStore publish | S3-16 S3-34
            signOut | guest | clear+revoke publish | S3-9 S1-17
            cancel | = | - | rule
            storeSignedIn storeLegacy storeProfile storeSignedOut | = | - | S0-15 S1-28
            storeLocked storeUnavailable | = | - | S0-15 S1-28
            codeSent signedIn kept keptLegacy keptProfile migrated | = | - | S0-15 S1-28
            profileFound profileAbsent profileSaved accountDeleted failed | = | - | S0-15
            tokenRefreshed userUpdated userReplaced | = | - | S0-15
            sessionSignedOut sessionEnded sessionLocked offline | = | - | S0-15
            """
        ),
        (
            .checking,
            """
            launch sendCode verify signIn submitProfile | = | busy | S0-30
            deleteAccount unlock back retry | = | busy | S0-30
            lock | locked | abandon lockStore publish | S3-16 S3-34
            signOut | guest | clear+revoke abandon publish | S3-9 S1-17
            cancel | notLaunched | abandon publish | S3-4
            storeSignedIn | loadingProfile | start:loadProfile publish | S0-16 S3-3 S4-3
            storeLegacy | migrating | start:migrate publish | S0-42 S0-46
            storeProfile | signedIn | refreshProfile publish | S0-16 S1-9 S1-10 S3-3 S4-3
            storeSignedOut | guest | clear publish | S0-16 S1-10 S3-3
            storeLocked | locked | publish | S0-16
            storeUnavailable failed | unavailable | publish | S0-16
            codeSent signedIn kept keptLegacy keptProfile migrated | = | - | rule
            profileFound profileAbsent profileSaved accountDeleted | = | - | rule
            tokenRefreshed userUpdated userReplaced | = | - | S0-15
            sessionSignedOut sessionEnded sessionLocked offline | = | - | S0-15
            """
        ),
        (
            .unavailable,
            """
            retry | checking | start:readStore publish | S0-16
            launch sendCode verify signIn submitProfile | = | notHere | S0-16
            deleteAccount unlock back | = | notHere | S0-16
            lock | locked | lockStore publish | S3-16 S3-34
            signOut | guest | clear+revoke publish | S3-9 S1-17
            cancel | = | - | rule
            storeSignedIn storeLegacy storeProfile storeSignedOut | = | - | S0-15
            storeLocked storeUnavailable | = | - | S0-15
            codeSent signedIn kept keptLegacy keptProfile migrated | = | - | rule
            profileFound profileAbsent profileSaved accountDeleted failed | = | - | rule
            tokenRefreshed userUpdated userReplaced | = | - | S0-16
            sessionSignedOut sessionEnded sessionLocked offline | = | - | S0-16
            """
        ),
        (
            .locked,
            """
            unlock | unlocking | start:unlock publish | S3-16
            launch sendCode verify signIn submitProfile | = | notHere | S3-16
            deleteAccount back retry | = | notHere | S3-16
            lock cancel | = | - | S3-16
            signOut | guest | clear+revoke publish | S3-9 S1-17
            storeSignedIn storeLegacy storeProfile storeSignedOut | = | - | S3-16
            storeLocked storeUnavailable | = | - | S3-16
            codeSent signedIn kept keptLegacy keptProfile migrated | = | - | S3-16
            profileFound profileAbsent profileSaved accountDeleted failed | = | - | S3-16
            tokenRefreshed userUpdated userReplaced | = | - | S3-16
            sessionSignedOut sessionEnded sessionLocked offline | = | - | S3-16
            """
        ),
        (
            .unlocking,
            """
            launch sendCode verify signIn submitProfile | = | busy | S0-30
            deleteAccount unlock back retry | = | busy | S0-30
            lock | locked | abandon lockStore publish | S3-16 S3-34
            signOut | guest | clear+revoke abandon publish | S3-9 S1-17
            cancel | locked | abandon lockStore publish | S3-4 S3-16
            storeSignedIn | loadingProfile | start:loadProfile publish | S3-16 S4-3
            storeLegacy | migrating | start:migrate publish | S0-46
            storeProfile | signedIn | refreshProfile publish | S3-16
            storeSignedOut | guest | clear publish | S0-16 S1-10
            storeLocked failed | locked | publish | S3-16
            storeUnavailable | unavailable | publish | S0-16
            codeSent signedIn kept keptLegacy keptProfile migrated | = | - | rule
            profileFound profileAbsent profileSaved accountDeleted | = | - | rule
            tokenRefreshed userUpdated userReplaced | = | - | S3-16
            sessionSignedOut sessionEnded sessionLocked offline | = | - | S3-16
            """
        ),
    ]
}
