// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

// The actions that take time. Each ends with one message.
extension AuthFlowDriver {
    /// Runs an action in a task of its own, which sends its message to the inbox.
    func start(_ action: AuthFlow.Action, generation: AuthFlow.Generation) {
        let task = Task {
            let message = await self.message(of: action, generation: generation)
            inbox.yield(message)
        }
        running[generation] = task
        switch action {
        case .keepSession, .unlock: storeAction = task
        default: break
        }
    }

    private func message(
        of action: AuthFlow.Action, generation: AuthFlow.Generation
    ) async -> Message {
        do throws(AuthFlow.Failure) {
            switch action {
            case .verify(let code, let destination):
                return .brought(try await client.verify(code, sentTo: destination), generation)
            case .signIn(let provider):
                return .brought(try await client.signIn(at: provider), generation)
            default:
                return .event(.answered(try await answer(to: action), generation))
            }
        } catch {
            return .event(.answered(.failed(error), generation))
        }
    }

    private func answer(
        to action: AuthFlow.Action
    ) async throws(AuthFlow.Failure) -> AuthFlow.Answer {
        switch action {
        case .readStore:
            return .store(await readStore())
        case .unlock:
            try await client.unlockStore()
            return .store(await readStore())
        case .sendCode(let destination):
            try await client.sendCode(to: destination)
            return .codeSent
        case .keepSession:
            return .kept(try await keepGrant())
        case .migrate(let migration):
            do { try await legacy?.run(migration) } catch { throw .migrationFailed }
            return .migrated
        case .loadProfile(let user):
            let hasProfile = try await client.hasProfile(user, with: try await token(of: user))
            return hasProfile ? .profileFound : .profileAbsent
        case .saveProfile(let draft, let user):
            try await client.save(draft, of: user, with: try await token(of: user))
            return .profileSaved
        case .deleteAccount(let user):
            try await client.deleteAccount(with: try await token(of: user))
            return .accountDeleted
        case .verify, .signIn:
            // `message(of:generation:)` handles both: they bring a session.
            throw .signInFailed
        }
    }

    private func readStore() async -> AuthFlow.StoreState {
        switch await manager.start() {
        case .signedIn(let session):
            guard let known = client.user(of: session) else { return .unavailable(.storeDamaged) }
            // Any error means the same: whether an old id is pending is unknown.
            guard let standing = try? await findStanding(hasProfile: known.hasProfile) else {
                return .unavailable(.storeUnreachable)
            }
            return .signedIn(known.user, standing)
        case .locked:
            return .locked
        case .unavailable(let error):
            return .unavailable(error.code == .corrupt ? .storeDamaged : .storeUnreachable)
        case .signedOut, .checking:
            return .signedOut
        }
    }

    /// Stores a sign-in's session. Asks for the old id first: otherwise a stored session would be
    /// shown too soon.
    private func keepGrant() async throws(AuthFlow.Failure) -> AuthFlow.Standing {
        guard let grant else { throw .sessionNotKept }
        self.grant = nil
        do {
            let known = client.user(of: SessionUser(id: grant.userID, profile: grant.profile))
            let standing = try await findStanding(hasProfile: known?.hasProfile ?? false)
            try await manager.adopt(grant)
            return standing
        } catch {
            await manager.discard(grant)
            throw .sessionNotKept
        }
    }

    private func findStanding(hasProfile: Bool) async throws -> AuthFlow.Standing {
        AuthFlow.Standing(hasProfile: hasProfile, legacy: try await legacy?.pending())
    }

    /// A token of this user. Another user may have signed in, in another process, since this user
    /// was shown.
    private func token(
        of user: AuthFlow.User
    ) async throws(AuthFlow.Failure) -> AccessToken {
        let token: AccessToken
        do {
            token = try await manager.accessToken()
        } catch {
            throw Self.failure(error)
        }
        guard case .signedIn(let session) = manager.state,
            client.user(of: session)?.user.id == user.id
        else { throw .sessionEnded }
        return token
    }

    private static func failure(_ error: SessionError) -> AuthFlow.Failure {
        switch error.code {
        case .signedOut, .refused, .expired: .sessionEnded
        case .locked: .stillLocked
        default: .offline
        }
    }

    /// Loads the profile in parallel. A failure changes nothing that is shown, so it is dropped.
    func refreshProfile(of user: AuthFlow.User) {
        Task { _ = try? await client.hasProfile(user, with: try await token(of: user)) }
    }
}
