// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Signed in.
extension TransitionTable {
    static let session: [(Situation, String)] = [
        (
            .signedIn,
            """
            deleteAccount | deletingAccount | start:deleteAccount publish | S1-18
            launch sendCode verify signIn submitProfile | = | notHere | S0-9 S0-15
            unlock back retry | = | notHere | S0-9
            lock | locked | lockStore publish | S3-16 S3-34
            signOut | guest | clear+revoke publish | S3-9 S1-17 S2-16 S3-35 S4-2
            cancel | = | - | rule
            storeSignedIn storeLegacy storeProfile storeSignedOut | = | - | S0-15 S1-28
            storeLocked storeUnavailable | = | - | S0-15 S1-28
            codeSent signedIn kept keptLegacy keptProfile migrated | = | - | rule
            profileFound profileAbsent profileSaved accountDeleted failed | = | - | rule
            tokenRefreshed | = | - | S0-13 S1-11
            userUpdated | = | publish | S0-14
            userReplaced | loadingProfile | start:loadProfile publish | S0-14
            sessionSignedOut | guest | clear publish | S0-12 S1-11 S3-2
            sessionEnded | guest | clear publish | S0-61 S1-13 S2-20 S2-35 S3-7 S3-29
            sessionLocked | locked | publish | S3-16
            offline | = | publish | S0-63 S1-15
            """
        ),
        (
            .deletingAccount,
            """
            launch sendCode verify signIn submitProfile | = | busy | S0-30
            deleteAccount unlock back retry | = | busy | S0-30
            lock | locked | abandon lockStore publish | S3-16 S3-34
            signOut | guest | clear+revoke abandon publish | S3-9 S1-17 S3-35
            cancel | signedIn | abandon publish | S3-4
            accountDeleted | guest | clear publish | S1-18
            failed | signedIn | publish | S1-18 S1-19
            storeSignedIn storeLegacy storeProfile storeSignedOut | = | - | rule
            storeLocked storeUnavailable | = | - | rule
            codeSent signedIn kept keptLegacy keptProfile migrated | = | - | rule
            profileFound profileAbsent profileSaved | = | - | rule
            tokenRefreshed | = | - | S0-13 S1-11
            userUpdated | = | publish | S0-14
            userReplaced | loadingProfile | abandon start:loadProfile publish | S0-14
            sessionSignedOut | guest | clear abandon publish | S0-12 S1-11 S3-2
            sessionEnded | guest | clear abandon publish | S0-61 S1-13 S2-20 S2-35 S3-7 S3-29
            sessionLocked | locked | abandon publish | S3-16
            offline | = | publish | S0-63 S1-15
            """
        ),
    ]
}
