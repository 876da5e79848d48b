// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

internal import SignetCrypto
internal import SignetJOSE

/// How the HTML page looks: on a wide screen, at 400 px, in the dark and on paper.
package enum PageStyle {
    /// The colours of one scheme. Each text colour has a contrast to ``ground`` of 4.5:1 or more
    /// (WCAG 2, 1.4.3).
    package struct Palette {
        package let ground: String
        package let text: String
        /// Labels, and numbers that say "none".
        package let quiet: String
        package let good: String
        package let bad: String
        /// Lines: no text.
        package let rule: String

        fileprivate var declarations: String {
            "--ground:\(ground);--text:\(text);--quiet:\(quiet);--good:\(good);--bad:\(bad);--rule:\(rule)"
        }
    }

    package static let light = Palette(
        ground: "#ffffff", text: "#1b1f24", quiet: "#57606a", good: "#116b32", bad: "#b3151d",
        rule: "#d0d7de")
    package static let dark = Palette(
        ground: "#14171a", text: "#e6e8ea", quiet: "#a3adb8", good: "#5fd38a", bad: "#ff8a80",
        rule: "#3b424a")

    /// The style sheet. Below 640 px a row of a table becomes a block in which each number has its
    /// label.
    static let sheet = """
        :root { color-scheme: light dark; \(light.declarations) }
        @media (prefers-color-scheme: dark) { :root { \(dark.declarations) } }
        body { font: 15px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem;
          background: var(--ground); color: var(--text); overflow-wrap: anywhere }
        h1 { font-size: 1.6rem; margin: 0 0 .5rem }
        h2 { font-size: 1.15rem; margin: 2rem 0 .4rem }
        .verdict { font-weight: 600; font-size: 1.1rem; color: var(--bad) }
        .clean { color: var(--good) }
        .open { font-weight: 600 }
        .code { font-family: ui-monospace, monospace; font-size: .85em }
        dl { display: grid; grid-template-columns: 13rem 1fr; gap: .1rem 1rem; margin: 0 }
        dt { color: var(--quiet) }
        dd { margin: 0 }
        table { border-collapse: collapse; width: 100% }
        th, td { text-align: left; padding: .2rem .6rem .2rem 0; border-bottom: 1px solid var(--rule);
          vertical-align: top }
        td { min-width: 5rem }
        td.n { min-width: 0 }
        th { color: var(--quiet); font-weight: 600; white-space: nowrap }
        .n { text-align: right; font-variant-numeric: tabular-nums }
        .total td { font-weight: 600 }
        @media screen and (max-width: 640px) {
          body { margin: 1rem auto }
          dl { display: block }
          dd { margin-bottom: .4rem }
          table, tbody, tr, td { display: block }
          thead { display: none }
          tr { padding: .4rem 0; border-bottom: 1px solid var(--rule) }
          td { padding: 0; border: 0 }
          td:first-child { font-weight: 600 }
          td + td::before { content: attr(data-label) ": "; color: var(--quiet); font-weight: 400 }
          td.n { display: inline-block; text-align: left; margin-right: .9rem }
        }
        @media print {
          :root { color-scheme: light; \(light.declarations) }
          body { font-size: 9pt; margin: 0; max-width: none; padding: 0 }
          h2 { break-after: avoid }
          tr, dd { break-inside: avoid }
          thead { display: table-header-group }
        }
        """

    /// The only style that the page allows, as the hash of this style sheet: nothing that a
    /// vector's text could bring along.
    static let pin: String = {
        let digest = try? MessageDigest.digest(sheet.utf8, using: .sha256)
        return digest.map { "sha256-" + Base64Standard.encode($0) } ?? "none"
    }()
}
