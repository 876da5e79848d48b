// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import Logging
internal import ServiceLifecycle
internal import SignetIdentity

/// Looks from time to time, and whenever it is told, whether the keys in the vault were rotated, and hands them to ``SessionTokens``.
struct KeyReloading: Service {
    let vault: SigningKeyVault
    let tokens: SessionTokens
    let seconds: Int
    /// Each element is a wish to look now: SIGHUP.
    let requests: AsyncStream<Void>
    let logger: Logger

    func run() async throws {
        // One look at a time: of two, the one that began first could be the last to hand over what it saw.
        let (looks, wish) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    for await _ in requests { wish.yield() }
                }
                group.addTask {
                    while (try? await Task.sleep(for: .seconds(seconds))) != nil { wish.yield() }
                }
                group.addTask {
                    for await _ in looks { await reload() }
                }
            }
        }
    }

    /// Keeps the keys in hand when the vault cannot be read: they are good, and the next look may succeed.
    func reload() async {
        do {
            let ring = try await vault.reread()
            guard ring.members != tokens.issuer.keys.members else { return }
            try tokens.use(ring)
            logger.notice(
                "took other signing keys",
                metadata: [
                    "kid": .string(ring.currentKeyID),
                    "keys": .stringConvertible(ring.members.count),
                ])
        } catch {
            logger.error(
                "kept the signing keys in hand: the vault cannot be read",
                metadata: ["error_type": "\(type(of: error))"])
        }
    }
}
