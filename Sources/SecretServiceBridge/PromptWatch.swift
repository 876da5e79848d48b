// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import CLibsecret
internal import SignetPlatform

/// Notices on the bus that the Secret Service was asked to show a prompt: libsecret does that by
/// itself, in the midst of a call, without a word.
///
/// It looks at the messages that leave this process for `Prompt` of
/// `org.freedesktop.Secret.Prompt`, on GDBus's own thread, and changes none.
final class PromptWatch: Sendable {
    /// The job under way.
    let job = Locked<ServiceJob?>(nil)

    /// - Returns: what removes it again.
    @unsafe
    func begin(on bus: OpaquePointer) -> UInt32 {
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        return unsafe g_dbus_connection_add_filter(
            bus,
            { _, message, isIncoming, context in
                if isIncoming == 0, let context = unsafe context,
                    unsafe PromptWatch.isPrompt(message)
                {
                    let watch = unsafe Unmanaged<PromptWatch>.fromOpaque(context)
                        .takeUnretainedValue()
                    watch.job.withLock { $0 }?.promptAppeared()
                }
                return unsafe message
            }, context,
            { context in
                if let context = unsafe context {
                    unsafe Unmanaged<PromptWatch>.fromOpaque(context).release()
                }
            })
    }

    @unsafe
    private static func isPrompt(_ message: OpaquePointer?) -> Bool {
        guard let message = unsafe message, let member = unsafe g_dbus_message_get_member(message),
            let interface = unsafe g_dbus_message_get_interface(message)
        else { return false }
        return unsafe g_str_equal(member, "Prompt") != 0
            && g_str_equal(interface, "org.freedesktop.Secret.Prompt") != 0
    }
}
