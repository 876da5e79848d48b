// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// Without a session: the guest, the code and the provider.
extension TransitionTable {
    static let signingIn: [(Situation, String)] = [
        (
            .guest,
            """
            sendCode | sendingCode | start:sendCode publish | S0-17 S0-25
            signIn | authenticating | start:signIn publish | S3-4 S3-1
            launch verify submitProfile | = | notHere | S0-9 S1-12
            deleteAccount unlock back retry | = | notHere | S0-9 S1-12
            lock | = | notHere | S3-16
            signOut | = | clear | S2-16 S3-9
            cancel | = | - | rule
            storeSignedIn storeLegacy storeProfile storeSignedOut | = | - | S0-15
            storeLocked storeUnavailable | = | - | S0-15
            codeSent signedIn kept keptLegacy keptProfile migrated | = | - | rule
            profileFound profileAbsent profileSaved accountDeleted failed | = | - | rule
            tokenRefreshed userUpdated userReplaced | = | - | rule
            sessionSignedOut sessionEnded sessionLocked offline | = | - | S0-12 S1-11
            """
        ),
        (
            .sendingCode,
            """
            launch sendCode verify signIn submitProfile | = | busy | S0-30
            deleteAccount unlock back retry | = | busy | S0-30
            lock | = | notHere | S3-16
            signOut | guest | clear abandon publish | S2-16 S3-9 S3-35
            cancel | guest | abandon publish | S3-4
            codeSent | codeSent | publish | S0-25
            failed | guest | publish | S0-20 S0-63 S1-19
            storeSignedIn storeLegacy storeProfile storeSignedOut | = | - | rule
            storeLocked storeUnavailable | = | - | rule
            signedIn kept keptLegacy keptProfile migrated | = | - | rule
            profileFound profileAbsent profileSaved accountDeleted | = | - | rule
            tokenRefreshed userUpdated userReplaced | = | - | rule
            sessionSignedOut sessionEnded sessionLocked offline | = | - | rule
            """
        ),
        (
            .codeSent,
            """
            sendCode | resendingCode | start:sendCode publish | S0-17
            verify | verifyingCode | start:verify publish | S0-18
            signIn | authenticatingAfterCode | start:signIn publish | S3-4
            back | guest | publish | S0-25
            launch submitProfile | = | notHere | S0-9
            deleteAccount unlock retry | = | notHere | S0-9 S1-12
            lock | = | notHere | S3-16
            signOut | guest | clear publish | S2-16 S3-9 S3-35
            cancel | = | - | rule
            storeSignedIn storeLegacy storeProfile storeSignedOut | = | - | S0-15
            storeLocked storeUnavailable | = | - | S0-15
            codeSent signedIn kept keptLegacy keptProfile migrated | = | - | rule
            profileFound profileAbsent profileSaved accountDeleted failed | = | - | rule
            tokenRefreshed userUpdated userReplaced | = | - | rule
            sessionSignedOut sessionEnded sessionLocked offline | = | - | rule
            """
        ),
        (
            .resendingCode,
            """
            launch sendCode verify signIn submitProfile | = | busy | S0-30
            deleteAccount unlock back retry | = | busy | S0-30
            lock | = | notHere | S3-16
            signOut | guest | clear abandon publish | S2-16 S3-9 S3-35
            cancel | codeSent | abandon publish | S3-4
            codeSent failed | codeSent | publish | S0-25 S1-19
            storeSignedIn storeLegacy storeProfile storeSignedOut | = | - | rule
            storeLocked storeUnavailable | = | - | rule
            signedIn kept keptLegacy keptProfile migrated | = | - | rule
            profileFound profileAbsent profileSaved accountDeleted | = | - | rule
            tokenRefreshed userUpdated userReplaced | = | - | rule
            sessionSignedOut sessionEnded sessionLocked offline | = | - | rule
            """
        ),
        (
            .verifyingCode,
            """
            launch sendCode verify signIn submitProfile | = | busy | S0-30
            deleteAccount unlock back retry | = | busy | S0-30
            lock | = | notHere | S3-16
            signOut | guest | clear abandon publish | S2-16 S3-9 S3-35
            cancel | codeSent | abandon publish | S3-4
            signedIn | keeping | start:keepSession publish | S0-11 S3-2
            failed | codeSent | publish | S0-18 S0-20 S1-19
            storeSignedIn storeLegacy storeProfile storeSignedOut | = | - | rule
            storeLocked storeUnavailable | = | - | rule
            codeSent kept keptLegacy keptProfile migrated | = | - | rule
            profileFound profileAbsent profileSaved accountDeleted | = | - | rule
            tokenRefreshed userUpdated userReplaced | = | - | rule
            sessionSignedOut sessionEnded sessionLocked offline | = | - | rule
            """
        ),
        (
            .authenticating,
            """
            launch sendCode verify signIn submitProfile | = | busy | S0-30
            deleteAccount unlock back retry | = | busy | S0-30
            lock | = | notHere | S3-16
            signOut | guest | clear abandon publish | S2-16 S3-9 S3-35
            cancel | guest | abandon publish | S3-4
            failed | guest | publish | S3-4 S1-19
            signedIn | keeping | start:keepSession publish | S0-11 S3-2
            storeSignedIn storeLegacy storeProfile storeSignedOut | = | - | rule
            storeLocked storeUnavailable | = | - | rule
            codeSent kept keptLegacy keptProfile migrated | = | - | rule
            profileFound profileAbsent profileSaved accountDeleted | = | - | rule
            tokenRefreshed userUpdated userReplaced | = | - | rule
            sessionSignedOut sessionEnded sessionLocked offline | = | - | rule
            """
        ),
        (
            .authenticatingAfterCode,
            """
            launch sendCode verify signIn submitProfile | = | busy | S0-30
            deleteAccount unlock back retry | = | busy | S0-30
            lock | = | notHere | S3-16
            signOut | guest | clear abandon publish | S2-16 S3-9 S3-35
            cancel | codeSent | abandon publish | S3-4
            failed | codeSent | publish | S3-4 S1-19
            signedIn | keeping | start:keepSession publish | S0-11 S3-2
            storeSignedIn storeLegacy storeProfile storeSignedOut | = | - | rule
            storeLocked storeUnavailable | = | - | rule
            codeSent kept keptLegacy keptProfile migrated | = | - | rule
            profileFound profileAbsent profileSaved accountDeleted | = | - | rule
            tokenRefreshed userUpdated userReplaced | = | - | rule
            sessionSignedOut sessionEnded sessionLocked offline | = | - | rule
            """
        ),
    ]
}
