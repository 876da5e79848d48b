// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#if Hummingbird
    public import Hummingbird
    internal import NIOCore

    /// A request context that holds the signed-in user, set by ``Authentication``.
    public protocol SignedInRequestContext<SignedIn>: RequestContext {
        /// What a verified token says: `VerifiedAccessToken`, `VerifiedSession`, a type of your
        /// own.
        associatedtype SignedIn: Sendable
        /// The signed-in user; nil for a guest.
        var signedIn: SignedIn? { get set }
    }

    /// The context of routes that are open to guests, where an application needs nothing more.
    public struct GuestContext<SignedIn: Sendable>: SignedInRequestContext {
        /// What Hummingbird keeps of a request.
        public var coreContext: CoreRequestContextStorage
        /// The signed-in user; nil for a guest.
        public var signedIn: SignedIn?
        private let socketAddress: SocketAddress?
        /// The address of the socket's other end: a proxy's where there is one. Nil where it has
        /// none.
        public var peer: String? { socketAddress?.ipAddress }

        /// The context of a request that has just come.
        public init(source: Source) {
            coreContext = CoreRequestContextStorage(source: source)
            socketAddress = source.channel.remoteAddress
        }
    }

    /// The context of routes that are for people who are signed in: there is none without one.
    ///
    /// ```swift
    /// router.group().add(middleware: Authentication(verifier))
    ///     .group("hello", context: MemberContext<Context>.self)
    ///     .get { _, context in "Hello, \(context.signedIn.subject)\n" }
    /// ```
    public struct MemberContext<Guest: SignedInRequestContext>: ChildRequestContext {
        /// The context of a guest, which it is made of.
        public typealias ParentContext = Guest

        /// What Hummingbird keeps of a request.
        public var coreContext: CoreRequestContextStorage
        /// The signed-in user.
        public let signedIn: Guest.SignedIn

        /// - Throws: an error that is answered 401, where it is a guest.
        public init(context: Guest) throws {
            guard let signedIn = context.signedIn else { throw NotSignedIn() }
            coreContext = context.coreContext
            self.signedIn = signedIn
        }
    }
#endif
