#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Checks the layout with swift format, then the rules of CONTRIBUTING.md that the compiler does not know.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

failures=0
fail() { # title, lines
    echo "lint: $1" >&2
    printf '%s\n' "$2" | sed 's/^/    /' >&2
    failures=$((failures + 1))
}

# Lists files by Git, including files that are not added yet; without Git, as in an archive, by the folder.
list() {
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        git -c core.quotePath=false ls-files --cached --others --exclude-standard -- "$@"
    else
        local pattern
        for pattern in "$@"; do
            find . -path '*/.*' -prune -o -type f -name "$(basename "$pattern")" -print | sed 's#^\./##'
        done
    fi | while IFS= read -r file; do [[ -f $file ]] && echo "$file"; done | sort -u
}

# Matching lines of code in the named files. Comments are dropped, so that prose may name what code must not use.
code_matching() { # pattern, files...
    local pattern=$1
    shift
    [[ $# -gt 0 ]] || return 0
    awk -v pattern="$pattern" '{
        line = $0
        sub(/(^|[^:"])\/\/.*$/, "", line)
        if (line ~ pattern) print FILENAME ":" FNR ": " $0
    }' "$@"
}

mapfile -t swift_files < <(list '*.swift')
mapfile -t sources < <(printf '%s\n' "${swift_files[@]}" | grep '^Sources/' || true)
walls='^Sources/([A-Za-z0-9]*Bridge|SignetMemory|SignetPlatform)/'
without_foundation='^Sources/Signet(Crypto|Memory|JSON|JOSE|Identity|Email|EmailIDNA)/'
mapfile -t outside_bridges < <(printf '%s\n' "${sources[@]}" | grep -v -E "$walls" || true)
mapfile -t core < <(printf '%s\n' "${sources[@]}" | grep -E "$without_foundation" || true)
mapfile -t stores < <(printf '%s\n' "${sources[@]}" | grep -E '^Sources/Signet(Vault|VaultTesting|SecretService)/' || true)
mapfile -t readers < <(printf '%s\n' "${sources[@]}" | grep -E '^Sources/(Signet(Identity|Logging|Curl|AsyncHTTPClient|SignIn|Session|Supabase)|signet)/' || true)
mapfile -t tests < <(printf '%s\n' "${swift_files[@]}" | grep '^Tests/' || true)
mapfile -t tests_and_examples < <(printf '%s\n' "${swift_files[@]}" | grep -E '^(Tests|Examples)/' || true)
mapfile -t libraries < <(printf '%s\n' "${sources[@]}" | grep -v '^Sources/signet/' || true)
mapfile -t shell_files < <(list '*.sh' '.ci/run')
mapfile -t c_files < <(list '*.c' '*.h')
mapfile -t python_files < <(list '*.py')

# In portions, because it opens all of its files at once, and a session may often open only 1,024.
printf '%s\0' "${swift_files[@]}" | xargs -0 -n 400 swift format lint --strict --parallel ||
    failures=$((failures + 1))

found=$(code_matching '(^|[^A-Za-z_])unsafe([^A-Za-z_]|$)' "${outside_bridges[@]}")
[[ -z $found ]] || fail "'unsafe' outside the bridge targets" "$found"

found=$(code_matching 'try!|as!|fatalError[(]|precondition(Failure)?[(]|assert(ionFailure)?[(]' "${sources[@]}")
[[ -z $found ]] || fail "a trap in Sources: throw a typed error instead" "$found"

# Every form of an import, up to the module's name.
import_of='^ *((public|package|internal|private) )?import '
found=$(code_matching "$import_of(Foundation|FoundationEssentials)" "${core[@]}")
[[ -z $found ]] ||
    fail "SignetCrypto, SignetJOSE, SignetIdentity and what is about e-mail import no Foundation" "$found"

mapfile -t above_platform < <(
    printf '%s\n' "${sources[@]}" | grep -v -E '^Sources/Signet(Platform|CLibrary)/' || true
)
found=$(code_matching "$import_of(Glibc|Musl|Darwin|SignetCLibrary)" "${above_platform[@]}")
[[ -z $found ]] || fail "SignetPlatform alone imports the C library" "$found"

of_crypto='^Sources/(SignetCrypto|OpenSSLBridge)/'
mapfile -t outside_crypto < <(printf '%s\n' "${sources[@]}" | grep -v -E "$of_crypto" || true)
found=$(code_matching "${import_of}OpenSSLBridge" "${outside_crypto[@]}")
[[ -z $found ]] || fail "SignetCrypto alone imports OpenSSLBridge" "$found"

mapfile -t above_postgres < <(printf '%s\n' "${sources[@]}" | grep -v -E '^Sources/(SignetPostgres|PostgresBridge)/' || true)
found=$(code_matching "${import_of}PostgresBridge" "${above_postgres[@]}")
[[ -z $found ]] || fail "SignetPostgres alone imports PostgresBridge" "$found"

tokens='Signet(JOSE|JSON|Identity|SignIn)'
mapfile -t of_tokens < <(printf '%s\n' "${sources[@]}" | grep -E "^Sources/$tokens/" || true)
found=$(code_matching "${import_of}Signet(Vault|SecretService)" "${of_tokens[@]}"
    code_matching "$import_of$tokens" "${stores[@]}")
[[ -z $found ]] || fail "tokens and stores do not see each other" "$found"

found=$(code_matching '^ *((public|package|internal|private) )?import Foundation( *$|\\.)' "${stores[@]}"
    code_matching '^ *(public |package |private )?import FoundationEssentials' "${stores[@]}")
[[ -z $found ]] ||
    fail "the stores import no Foundation but 'internal import FoundationEssentials' (JSON)" "$found"

found=$(code_matching '^ *((public|package|internal|private) )?import (C(OpenSSL|SQLite|Libsecret|ICU|SignetCurl|LibPQ)( *$|\\.))' "${outside_bridges[@]}")
[[ -z $found ]] || fail "C is imported by the bridge targets alone" "$found"

# Both replace bytes that are not UTF-8, and the first needs /proc. What Evidence shows or passes on is not opened.
mapfile -t named < <(printf '%s\n' "${sources[@]}" | grep -v '^Sources/SignetAudit/Evidence/' || true)
found=$(code_matching 'CommandLine[.](arguments|unsafeArgv)|ProcessInfo[.]processInfo[.]environment' "${named[@]}")
[[ -z $found ]] || fail "arguments come from ProgramArguments, and variables from ProcessEnvironment" "$found"
mapfile -t by_bytes < <(printf '%s\n' "${sources[@]}" | grep -E '^Sources/(signet|Signet(Platform|Vault|SecretService))/' || true)
found=$(code_matching 'FileManager|FileHandle|[(]fileURLWithPath:|contentsOfFile:' "${by_bytes[@]}")
[[ -z $found ]] || fail "files are opened by SignetPlatform: Foundation replaces bytes that are not UTF-8" "$found"

# A C string that Swift makes of its own string lives only for the one call, but the parameter keeps the pointer.
found=$(code_matching 'OSSL_PARAM_construct_[a-z0-9_]*[(][^c)]' "${sources[@]}")
[[ -z $found ]] || fail "a parameter of libcrypto is named by cString(\"...\")" "$found"

# If it is indented, docc takes it for a parameter with that name.
found=$(grep -nE '^ *///  +- (Throws|Returns):' "${sources[@]}" || true)
[[ -z $found ]] || fail "'- Throws:' and '- Returns:' stand beside '- Parameters:', not below it" "$found"

found=$(code_matching '@testable|#filePath' "${tests[@]}")
[[ -z $found ]] || fail "tests use package access and resources, not @testable or #filePath" "$found"

# SecretServiceWorker is a program of its own, so there it harms no exit test.
mapfile -t beside_exit_tests < <(printf '%s\n' "${tests[@]}" | grep -v '^Tests/SecretServiceWorker/')
found=$(code_matching '(^|[^A-Za-z_])Process[(][)]|posix_spawn[(]' "${beside_exit_tests[@]}")
[[ -z $found ]] || fail "tests start programs by ChildProgram: it says why not by Foundation's Process" "$found"

# A backend of PostgreSQL has one thread, and stands at once.
mapfile -t beside_postgres < <(printf '%s\n' "${tests_and_examples[@]}" | grep -v '^Tests/SignetPostgresTests/')
found=$(code_matching '(signal|[^.]kill)[(].*SIGSTOP' "${beside_postgres[@]}" |
    grep -v -E '^Tests/(TestPrograms/Reaper|SecretServiceWorker/Daemon)[.]swift:' || true)
[[ -z $found ]] || fail "programs are stopped by stop(): it waits until all their threads stand" "$found"

# On a busy machine, any other limit is exceeded by chance. To limit what a test costs, count, or
# measure processor time (ThreadClock).
found=$(code_matching '[.]timeLimit[(]' "${tests_and_examples[@]}" | grep -vF '.timeLimit(.minutes(20))' || true
    code_matching '((Continuous|Suspending)Clock([(][)])?[.]now|(^|[^A-Za-z0-9_)])[.]now|(^|[^.A-Za-z0-9_])now[(][)]) - [A-Za-z_.]+ <' "${tests_and_examples[@]}"
    code_matching '[.]duration[(]to: [A-Za-z_.]*[)] <' "${tests_and_examples[@]}")
[[ -z $found ]] || fail "a limit of wall-clock time: only '.timeLimit(.minutes(20))', against hangs" "$found"

# What may be done only in the files that a list names, with the number of places:
#   unlike_list PATTERN LIST
unlike_list() {
    diff <(sed -nE 's/^([0-9]+) ([^:]+): .+$/\2 \1/p' "$2" | sort) \
        <(code_matching "$1" "${sources[@]}" | awk -F ':' -v pattern="$1" \
            '{ places[$1] += gsub(pattern, "") } END { for (file in places) print file, places[file] }' | sort) |
        sed -nE 's/^< (.*)$/listed: \1/p; s/^> (.*)$/found:  \1/p' || true
}

found=$(unlike_list '[.]swiftString[(][)]' Scripts/received-text.txt)
[[ -z $found ]] ||
    fail "callers of ReceivedText.swiftString() that Scripts/received-text.txt does not list so" "$found"

# A message holds text as \(shown: …): escaped, and at most 64 characters of it.
found=$(unlike_list '[(]reported: ' Scripts/reported-text.txt)
[[ -z $found ]] || fail "texts in messages as they are, which Scripts/reported-text.txt does not list so" "$found"
found=$(code_matching 'ErrorMessage[(]stringLiteral' "${sources[@]}" "${tests_and_examples[@]}" || true)
[[ -z $found ]] || fail "a message is written as a literal" "$found"

if command -v python3 >/dev/null 2>&1; then
    found=$(python3 Scripts/test-clocks.py) ||
        fail "tests that read the system's time, which Scripts/test-clocks.txt does not list: give them a clock" "$found"
fi

found=$(code_matching 'extension ReceivedText *:|struct ReceivedText *:.*(Equatable|Hashable|Comparable)|func (==|~=|<) *[(][^)]*ReceivedText' "${sources[@]}"
    code_matching '[.]stringValue' "${readers[@]}")
[[ -z $found ]] ||
    fail "received text is compared by bytes: it has no operators, and JSONNode.stringValue is for our own vectors" "$found"

found=$(code_matching '(^|[^.A-Za-z_])(print|debugPrint|dump)[(]' "${libraries[@]}")
[[ -z $found ]] || fail "a library does not print" "$found"

# The tokens of the demonstration and the vectors are public anyway.
secret='-----BEGIN [A-Z ]*PRIVATE KEY-----|sb_secret_[A-Za-z0-9_-]{16}|AKIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{35}'
secret+='|gh[pousr]_[A-Za-z0-9]{36}|xox[abprs]-[0-9A-Za-z-]{10}|eyJ[A-Za-z0-9_-]{16,}[.]eyJ[A-Za-z0-9_-]{16,}[.]'
found=$(list '*' | grep -v -E '^(Tests|TestVectors|Fuzz|Scripts/demo|Examples/[A-Za-z]+/Tests)/' |
    tr '\n' '\0' | xargs -0 grep -nIE -e "$secret" -- | cut -c1-120) || true
[[ -z $found ]] || fail "what looks like a credential" "$found"

# The licence line must be among the first three (a script's first line names its interpreter, a manifest's its tools version).
found=$(for file in "${swift_files[@]}" "${shell_files[@]}" "${c_files[@]}" "${python_files[@]}"; do
    head -n 3 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0' || echo "$file"
done)
[[ -z $found ]] || fail "no licence head" "$found"

found=$(for file in "${sources[@]}"; do
    lines=$(wc -l <"$file")
    [[ $lines -le 500 ]] || echo "$file: $lines lines"
done)
[[ -z $found ]] || fail "more than 500 lines in a source file: two concepts in one room" "$found"

found=$(sed -nE 's/.*static var (\w+):.*/\1/p' Tests/TestSupport/Tags.swift | while read -r tag; do
    [[ $tag == sampled ]] || grep -qE -- "--tag $tag( |$)" Scripts/parts.ini || echo "$tag"
done)
[[ -z $found ]] || fail "tags that no part of Scripts/parts.ini runs" "$found"

# Without them systemd gives up after five starts in 10 s, while the database is away.
unit=Examples/AuthServer/Deployment/auth-server.service
found=$(awk '/^\[/ { section = $0; next } { print section $0 }' "$unit" |
    grep -xE '\[Unit\]StartLimitIntervalSec=0|\[Service\]Restart(=on-failure|Sec=2)' | sort -u | wc -l)
[[ $found -eq 3 ]] || fail "$unit does not restart the server for as long as it takes" \
    "[Unit] StartLimitIntervalSec=0, [Service] Restart=on-failure and RestartSec=2"

if command -v shellcheck >/dev/null 2>&1; then
    shellcheck "${shell_files[@]}" || failures=$((failures + 1))
else
    echo "lint: shellcheck is not installed, shell scripts are not checked" >&2
fi

if [[ ${#python_files[@]} -gt 0 ]] && command -v python3 >/dev/null 2>&1; then
    found=$(python3 - "${python_files[@]}" 2>&1 <<'PYTHON'
import ast, sys
for name in sys.argv[1:]:
    try:
        with open(name, encoding="utf-8") as file:
            ast.parse(file.read(), name)
    except SyntaxError as error:
        print(f"{name}:{error.lineno}: {error.msg}")
PYTHON
    )
    [[ -z $found ]] || fail "Python that does not parse" "$found"
fi

if command -v python3 >/dev/null 2>&1; then
    found=$(python3 Scripts/gate_test.py 2>&1) || fail "the gate chooses other parts than gate_test.py says" "$found"
    found=$(python3 Scripts/arrows.py) || fail "inside a target, arrows point one way" "$found"
    found=$(python3 Scripts/type-names.py) || fail "a type's name stands in two targets" "$found"
    found=$(python3 Scripts/error-causes.py) ||
        fail "an error of another layer is translated without 'underlying:', so its code is lost" "$found"
    found=$(python3 Scripts/requirements.py) ||
        fail "pages of Documentation name what is not in the tree, or sums that are wrong" "$found"
    found=$(python3 Scripts/architecture.py) ||
        fail "Documentation/ARCHITECTURE.md draws what the code is not" "$found"
    found=$(python3 Scripts/vault-format.py) ||
        fail "Documentation/VAULT-FORMAT.md shows other octets than the tests" "$found"
    found=$(python3 Scripts/examples.py) ||
        fail "examples that nothing compiles" "$found"
    found=$(python3 Scripts/prose.py) ||
        fail "Markdown wider than 100 columns, or words that CONTRIBUTING.md advises against" "$found"
fi

Scripts/check-libsecret-prototypes.sh || fail "Sources/CLibsecret/shim.h differs from the real headers" "see above"

if [[ $failures -gt 0 ]]; then
    echo "lint: $failures kinds of finding" >&2
    exit 1
fi
echo "lint: ${#swift_files[@]} Swift files, ${#shell_files[@]} shell scripts, ${#python_files[@]} Python files: clean"
