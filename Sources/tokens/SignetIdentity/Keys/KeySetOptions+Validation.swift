// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension KeySetOptions {
    /// - Throws: `outOfRange`.
    package func validate() throws(IdentityConfigurationError) {
        try Self.require(!algorithms.isEmpty, message: "The list of algorithms is empty.")
        let upToADay = Duration.seconds(1) ... .seconds(86_400)
        try Self.require(
            (.seconds(1) ... .seconds(3_600)).contains(cooldown),
            message: "The cooldown is 1 s to 1 h.")
        try Self.require(
            upToADay.contains(defaultLifetime), message: "The default lifetime is 1 s to 24 h.")
        try Self.require(
            upToADay.contains(lifetimeBounds.lowerBound)
                && upToADay.contains(lifetimeBounds.upperBound),
            message: "The bounds of the lifetime are 1 s to 24 h.")
        try Self.require(
            (0.1...1).contains(refreshAheadShare),
            message: "The share from which keys are refreshed is 0.1 to 1.")
        try Self.require(
            (.zero ... .seconds(86_400)).contains(maximumStaleness),
            message: "The maximum staleness is 0 to 24 h.")
        try Self.require(
            (256...KeySet.maximumByteCount).contains(maximumByteCount),
            message: "maximumByteCount must be 256 to \(KeySet.maximumByteCount).")
        try Self.require(
            (1...KeySet.maximumKeyCount).contains(maximumKeyCount),
            message: "maximumKeyCount must be 1 to \(KeySet.maximumKeyCount).")
        try Self.require(
            (.milliseconds(100) ... .seconds(60)).contains(timeout),
            message: "The timeout is 0.1 s to 60 s."
        )
        try Self.require(
            (0...3).contains(maximumRedirects), message: "maximumRedirects must be 0 to 3.")
    }

    private static func require(_ isRight: Bool, message: ErrorMessage)
        throws(IdentityConfigurationError)
    {
        guard isRight else { throw IdentityConfigurationError(.outOfRange, message) }
    }
}
