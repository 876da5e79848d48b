// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// With a session, and not yet signed in: saving it, the migration and the profile.
extension TransitionTable {
    static let settling: [(Situation, String)] = [
        (
            .keeping,
            """
            launch sendCode verify signIn submitProfile | = | busy | S0-30
            deleteAccount unlock back retry | = | busy | S0-30
            lock | locked | abandon lockStore publish | S3-16 S3-34
            signOut | guest | clear+revoke abandon publish | S3-9 S1-17 S3-35
            cancel | guest | clear+revoke abandon publish | S3-4
            kept | loadingProfile | start:loadProfile publish | S4-2 S3-6
            keptLegacy | migrating | start:migrate publish | S0-42 S0-46
            keptProfile | signedIn | refreshProfile publish | S4-2 S1-10
            failed | guest | clear+revoke publish | S0-20 S1-19
            storeSignedIn storeLegacy storeProfile storeSignedOut | = | - | rule
            storeLocked storeUnavailable | = | - | rule
            codeSent signedIn migrated | = | - | rule
            profileFound profileAbsent profileSaved accountDeleted | = | - | rule
            tokenRefreshed | = | - | S0-13 S1-11
            userUpdated userReplaced | = | publish | S0-14
            sessionSignedOut | guest | clear abandon publish | S0-12 S1-11 S3-2
            sessionEnded | guest | clear abandon publish | S0-61 S1-13 S2-20 S2-35 S3-7
            sessionLocked | locked | abandon publish | S3-16
            offline | = | publish | S0-63 S1-15
            """
        ),
        (
            .migrating,
            """
            launch sendCode verify signIn submitProfile | = | busy | S0-30
            deleteAccount unlock back retry | = | busy | S0-30
            lock | locked | abandon lockStore publish | S3-16 S3-34
            signOut | guest | clear+revoke abandon publish | S3-9 S1-17 S3-35
            cancel | migrationStopped | abandon publish | S3-4 S0-46
            migrated | loadingProfile | start:loadProfile publish | S0-46 S4-2
            failed | migrationStopped | publish | S0-46 S0-63 S1-19
            storeSignedIn storeLegacy storeProfile storeSignedOut | = | - | rule
            storeLocked storeUnavailable | = | - | rule
            codeSent signedIn kept keptLegacy keptProfile | = | - | rule
            profileFound profileAbsent profileSaved accountDeleted | = | - | rule
            tokenRefreshed | = | - | S0-13 S1-11
            userUpdated | = | publish | S0-14
            userReplaced | loadingProfile | abandon start:loadProfile publish | S0-14
            sessionSignedOut | guest | clear abandon publish | S0-12 S1-11 S3-2
            sessionEnded | guest | clear abandon publish | S0-61 S1-13 S2-20 S2-35 S3-7
            sessionLocked | locked | abandon publish | S3-16
            offline | = | publish | S0-63 S1-15
            """
        ),
        (
            .migrationStopped,
            """
            retry | migrating | start:migrate publish | S0-46
            launch sendCode verify signIn submitProfile | = | notHere | S0-46
            deleteAccount unlock back | = | notHere | S0-46
            lock | locked | lockStore publish | S3-16 S3-34
            signOut | guest | clear+revoke publish | S3-9 S1-17 S3-35
            cancel | = | - | rule
            storeSignedIn storeLegacy storeProfile storeSignedOut | = | - | S0-46
            storeLocked storeUnavailable | = | - | S0-46
            codeSent signedIn kept keptLegacy keptProfile migrated | = | - | S0-46
            profileFound profileAbsent profileSaved accountDeleted failed | = | - | S0-46
            tokenRefreshed | = | - | S0-13 S1-11
            userUpdated | = | publish | S0-14
            userReplaced | loadingProfile | start:loadProfile publish | S0-14
            sessionSignedOut | guest | clear publish | S0-12 S1-11 S3-2
            sessionEnded | guest | clear publish | S0-61 S1-13 S2-20 S2-35 S3-7
            sessionLocked | locked | publish | S3-16
            offline | = | publish | S0-63 S1-15
            """
        ),
        (
            .loadingProfile,
            """
            launch sendCode verify signIn submitProfile | = | busy | S0-30
            deleteAccount unlock back retry | = | busy | S0-30
            lock | locked | abandon lockStore publish | S3-16 S3-34
            signOut | guest | clear+revoke abandon publish | S3-9 S1-17 S3-35
            cancel | profileUnknown | abandon publish | S3-4
            profileFound | signedIn | publish | S4-2 S0-11
            profileAbsent | needsProfile | publish | S4-2 S4-15 S3-6
            failed | profileUnknown | publish | S4-15 S0-63 S1-15 S1-19
            storeSignedIn storeLegacy storeProfile storeSignedOut | = | - | rule
            storeLocked storeUnavailable | = | - | rule
            codeSent signedIn kept keptLegacy keptProfile migrated | = | - | rule
            profileSaved accountDeleted | = | - | rule
            tokenRefreshed | = | - | S0-13 S1-11
            userUpdated | = | publish | S0-14
            userReplaced | = | abandon start:loadProfile publish | S0-14
            sessionSignedOut | guest | clear abandon publish | S0-12 S1-11 S3-2
            sessionEnded | guest | clear abandon publish | S0-61 S1-13 S2-20 S2-35 S3-7
            sessionLocked | locked | abandon publish | S3-16
            offline | = | publish | S0-63 S1-15
            """
        ),
        (
            .profileUnknown,
            """
            retry | loadingProfile | start:loadProfile publish | S4-15
            launch sendCode verify signIn submitProfile | = | notHere | S4-15
            deleteAccount unlock back | = | notHere | S4-15
            lock | locked | lockStore publish | S3-16 S3-34
            signOut | guest | clear+revoke publish | S3-9 S1-17 S3-35
            cancel | = | - | rule
            storeSignedIn storeLegacy storeProfile storeSignedOut | = | - | S4-15
            storeLocked storeUnavailable | = | - | S4-15
            codeSent signedIn kept keptLegacy keptProfile migrated | = | - | S4-15
            profileFound profileAbsent profileSaved accountDeleted failed | = | - | S4-15
            tokenRefreshed | = | - | S0-13 S1-11
            userUpdated | = | publish | S0-14
            userReplaced | loadingProfile | start:loadProfile publish | S0-14
            sessionSignedOut | guest | clear publish | S0-12 S1-11 S3-2
            sessionEnded | guest | clear publish | S0-61 S1-13 S2-20 S2-35 S3-7
            sessionLocked | locked | publish | S3-16
            offline | = | publish | S0-63 S1-15
            """
        ),
        (
            .needsProfile,
            """
            submitProfile | savingProfile | start:saveProfile publish | S4-2
            launch sendCode verify signIn | = | notHere | S4-1
            deleteAccount unlock back retry | = | notHere | S4-1
            lock | locked | lockStore publish | S3-16 S3-34
            signOut | guest | clear+revoke publish | S3-9 S1-17 S3-35 S4-2
            cancel | = | - | rule
            storeSignedIn storeLegacy storeProfile storeSignedOut | = | - | S4-2
            storeLocked storeUnavailable | = | - | S4-2
            codeSent signedIn kept keptLegacy keptProfile migrated | = | - | S4-2
            profileFound profileAbsent profileSaved accountDeleted failed | = | - | S4-2
            tokenRefreshed | = | - | S0-13 S1-11
            userUpdated | = | publish | S0-14
            userReplaced | loadingProfile | start:loadProfile publish | S0-14
            sessionSignedOut | guest | clear publish | S0-12 S1-11 S3-2
            sessionEnded | guest | clear publish | S0-61 S1-13 S2-20 S2-35 S3-7
            sessionLocked | locked | publish | S3-16
            offline | = | publish | S0-63 S1-15
            """
        ),
        (
            .savingProfile,
            """
            launch sendCode verify signIn submitProfile | = | busy | S0-30
            deleteAccount unlock back retry | = | busy | S0-30
            lock | locked | abandon lockStore publish | S3-16 S3-34
            signOut | guest | clear+revoke abandon publish | S3-9 S1-17 S3-35 S4-2
            cancel | needsProfile | abandon publish | S3-4
            profileSaved | signedIn | publish | S4-2
            failed | needsProfile | publish | S4-2 S1-19
            storeSignedIn storeLegacy storeProfile storeSignedOut | = | - | rule
            storeLocked storeUnavailable | = | - | rule
            codeSent signedIn kept keptLegacy keptProfile migrated | = | - | rule
            profileFound profileAbsent accountDeleted | = | - | rule
            tokenRefreshed | = | - | S0-13 S1-11
            userUpdated | = | publish | S0-14
            userReplaced | loadingProfile | abandon start:loadProfile publish | S0-14
            sessionSignedOut | guest | clear abandon publish | S0-12 S1-11 S3-2
            sessionEnded | guest | clear abandon publish | S0-61 S1-13 S2-20 S2-35 S3-7
            sessionLocked | locked | abandon publish | S3-16
            offline | = | publish | S0-63 S1-15
            """
        ),
    ]
}
