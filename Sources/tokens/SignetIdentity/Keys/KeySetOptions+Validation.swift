// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetJOSE

extension KeySetOptions {
    /// - Throws: `outOfRange`.
    package func validate() throws(IdentityConfigurationError) {
        guard !algorithms.isEmpty else {
            throw IdentityConfigurationError(.outOfRange, "The list of algorithms is empty.")
        }
        guard (0.1...1).contains(refreshAheadShare) else {
            throw IdentityConfigurationError(.outOfRange, "refreshAheadShare is 0.1 to 1.")
        }
        let upToADay = Duration.seconds(1) ... .seconds(86_400)
        let fault = ParameterRange.fault(
            ParameterRange("cooldown", value: cooldown, in: .seconds(1) ... .seconds(3_600)),
            ParameterRange("defaultLifetime", value: defaultLifetime, in: upToADay),
            ParameterRange(
                "lifetimeBounds.lowerBound", value: lifetimeBounds.lowerBound, in: upToADay),
            ParameterRange(
                "lifetimeBounds.upperBound", value: lifetimeBounds.upperBound, in: upToADay),
            ParameterRange(
                "maximumStaleness", value: maximumStaleness, in: .zero ... .seconds(86_400)),
            ParameterRange(
                "maximumByteCount", value: maximumByteCount, in: 256...KeySet.maximumByteCount),
            ParameterRange(
                "maximumKeyCount", value: maximumKeyCount, in: 1...KeySet.maximumKeyCount),
            ParameterRange(
                "timeout", value: timeout,
                in: .milliseconds(100)...TransportRequest.maximumTimeout),
            ParameterRange("maximumRedirects", value: maximumRedirects, in: 0...3))
        if let fault { throw IdentityConfigurationError(.outOfRange, fault) }
    }
}
