#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Checks the layout with swift format, then the rules of CONTRIBUTING.md that the compiler does not know.
#
#   lint.sh                  every rule
#   lint.sh --rule NAME …    these alone
#   lint.sh --rules          their names
#
# A rule is a function rule_NAME here. Scripts/lint-table.ini has a violation for each, which has to be
# found. What a rule names (a target, a module, a file) must be there: else it would find nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mapfile -t rules < <(sed -nE 's/^rule_([a-z_]+)\(\) \{.*/\1/p' Scripts/lint.sh)
case ${1:-} in
'') ;;
--rules)
    printf '%s\n' "${rules[@]}"
    exit
    ;;
--rule)
    shift
    for rule in "$@"; do
        [[ " ${rules[*]} " == *" $rule "* ]] || { echo "lint: there is no rule $rule (--rules lists them)" >&2; exit 2; }
    done
    rules=("$@")
    ;;
*)
    echo "usage: lint.sh [--rules | --rule NAME …]" >&2
    exit 2
    ;;
esac
command -v python3 >/dev/null || { echo "lint: needs python3 (make test-deps)" >&2; exit 1; }

rule=
failures=0
fail() { # title, lines
    echo "lint: $rule: $1" >&2
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

declare -A folder_of=()
while read -r name folder; do folder_of[$name]=$folder; done <<<"$(Scripts/package.py targets)"

# The path of FOLDER/MORE, where FOLDER is a target's. What begins with none is a path already.
located() {
    local first=${1%%/*}
    echo "${folder_of[$first]:-$first}${1#"$first"}"
}

# Puts into `chosen` those of an array of files that are in the named folders, or those that are not. In
# each there must be one.
only() { choose -E "$@"; }
but() { choose -vE "$@"; }
choose() { # grep's option, array, FOLDER or FOLDER/MORE...
    local -n from=$2
    local option=$1 name places=
    shift 2
    for name in "$@"; do
        name=$(located "$name")
        printf '%s\n' "${from[@]}" | grep -E "^$name(/|\$)" >/dev/null ||
            fail "a pattern of this rule matches no file" "$name"
        places+="|$name"
    done
    mapfile -t chosen < <(printf '%s\n' "${from[@]}" | grep "$option" "^(${places#|})(/|\$)" || true)
}

# The modules that a rule forbids to import must be targets here.
known() {
    local name
    for name in "$@"; do
        [[ -n ${folder_of[$name]:-} ]] || fail "this rule names a module that is no target" "$name"
    done
}

# Matching lines of code in the named files. Comments are dropped, so that prose may name what code must not use.
code_matching() { # pattern, files...
    local pattern=$1
    shift
    [[ $# -gt 0 ]] || { echo "no file was looked through"; return; }
    awk -v pattern="$pattern" '{
        line = $0
        sub(/(^|[^:"])\/\/.*$/, "", line)
        if (line ~ pattern) print FILENAME ":" FNR ": " $0
    }' "$@"
}

rule=files
mapfile -t all_files < <(list '*')
mapfile -t swift_files < <(list '*.swift')
mapfile -t shell_files < <(list '*.sh' '.ci/run')
mapfile -t c_files < <(list '*.c' '*.h')
mapfile -t python_files < <(list '*.py')
only swift_files Sources
sources=("${chosen[@]}")
only swift_files Tests
tests=("${chosen[@]}")
only swift_files Tests Examples
tests_and_examples=("${chosen[@]}")
mapfile -t bridges < <(printf '%s\n' "${!folder_of[@]}" | grep 'Bridge$')
but sources "${bridges[@]}" SignetBase SignetMemory SignetPlatform
outside_bridges=("${chosen[@]}")
stores=(SignetVault SignetVaultTesting SignetSecretService)
# Every form of an import, up to the module's name.
import_of='^ *((public|package|internal|private) )?import '

# In portions, because it opens all of its files at once, and a session may often open only 1,024.
rule_layout() {
    found=$(printf '%s\0' "${swift_files[@]}" | xargs -0 -n 400 swift format lint --strict --parallel 2>&1) ||
        fail "not as 'make format' lays it out" "$found"
}

rule_unsafe() {
    found=$(code_matching '(^|[^A-Za-z_])unsafe([^A-Za-z_]|$)' "${outside_bridges[@]}")
    [[ -z $found ]] || fail "'unsafe' outside the bridge targets" "$found"
}

rule_traps() {
    found=$(code_matching 'try!|as!|fatalError[(]|precondition(Failure)?[(]|assert(ionFailure)?[(]' "${sources[@]}")
    [[ -z $found ]] || fail "a trap in Sources: throw a typed error instead" "$found"
}

rule_foundation() {
    only sources SignetBase SignetPlatform SignetCrypto SignetMemory SignetJSON SignetJOSE SignetSessionTokens SignetIdentity SignetEmail
    found=$(code_matching "$import_of(Foundation|FoundationEssentials)" "${chosen[@]}")
    [[ -z $found ]] ||
        fail "SignetCrypto, SignetJOSE, SignetSessionTokens, SignetIdentity and what is about e-mail import no Foundation" "$found"
}

rule_c_library() {
    known SignetCLibrary
    but sources SignetBase SignetPlatform SignetCLibrary
    found=$(code_matching "$import_of(Glibc|Musl|Darwin|SignetCLibrary)" "${chosen[@]}")
    [[ -z $found ]] || fail "SignetBase and SignetPlatform alone import the C library" "$found"
}

rule_libcrypto() {
    known OpenSSLBridge
    but sources SignetCrypto OpenSSLBridge
    found=$(code_matching "${import_of}OpenSSLBridge" "${chosen[@]}")
    [[ -z $found ]] || fail "SignetCrypto alone imports OpenSSLBridge" "$found"
}

rule_libpq() {
    known PostgresBridge
    but sources SignetPostgres PostgresBridge
    found=$(code_matching "${import_of}PostgresBridge" "${chosen[@]}")
    [[ -z $found ]] || fail "SignetPostgres alone imports PostgresBridge" "$found"
}

# Some modules come along with a product without being one. `make seams` finds the rest.
rule_servers() {
    local name products others=
    products=" $(Scripts/package.py products | tr '\n' ' ')"
    for name in "${!folder_of[@]}"; do
        [[ ${folder_of[$name]} != Sources/* || ${folder_of[$name]} == Sources/servers/* ||
            $products == *" $name "* || $products == *" _$name "* ]] || others+="|$name"
    done
    only sources Sources/servers
    found=$(code_matching "${import_of}(${others#|})( *\$|[.])" "${chosen[@]}")
    [[ -n $others && -z $found ]] ||
        fail "the servers import of the other wings what is a product" "${found:-nothing is forbidden}"
}

rule_tokens_and_stores() {
    known SignetVault SignetSecretService SignetJOSE SignetJSON SignetSessionTokens SignetIdentity SignetSignIn
    only sources SignetJOSE SignetJSON SignetSessionTokens SignetIdentity SignetSignIn
    found=$(code_matching "${import_of}Signet(Vault|SecretService)" "${chosen[@]}")
    only sources "${stores[@]}"
    found+=${found:+$'\n'}$(code_matching "${import_of}Signet(JOSE|JSON|SessionTokens|Identity|SignIn)" "${chosen[@]}")
    [[ -z $found ]] || fail "tokens and stores do not see each other" "$found"
}

rule_foundation_of_stores() {
    only sources "${stores[@]}"
    found=$(code_matching '^ *((public|package|internal|private) )?import Foundation( *$|\\.)' "${chosen[@]}"
        code_matching '^ *(public |package |private )?import FoundationEssentials' "${chosen[@]}")
    [[ -z $found ]] ||
        fail "the stores import no Foundation but 'internal import FoundationEssentials' (JSON)" "$found"
}

rule_c_modules() {
    known COpenSSL CSQLite CLibsecret CSignetCurl CLibPQ
    found=$(code_matching '^ *((public|package|internal|private) )?import (C(OpenSSL|SQLite|Libsecret|SignetCurl|LibPQ)( *$|\\.))' "${outside_bridges[@]}")
    [[ -z $found ]] || fail "C is imported by the bridge targets alone" "$found"
}

# Both replace bytes that are not UTF-8, and the first needs /proc. What Evidence shows or passes on is not opened.
rule_arguments() {
    but sources SignetAudit/Evidence
    found=$(code_matching 'CommandLine[.](arguments|unsafeArgv)|ProcessInfo[.]processInfo[.]environment' "${chosen[@]}")
    [[ -z $found ]] || fail "arguments come from ProgramArguments, and variables from ProcessEnvironment" "$found"
}

rule_opened_files() {
    only sources signet SignetPlatform SignetVault SignetSecretService
    found=$(code_matching 'FileManager|FileHandle|[(]fileURLWithPath:|contentsOfFile:' "${chosen[@]}")
    [[ -z $found ]] || fail "files are opened by SignetPlatform: Foundation replaces bytes that are not UTF-8" "$found"
}

# A C string that Swift makes of its own string lives only for the one call, but the parameter keeps the pointer.
rule_parameter_names() {
    found=$(code_matching 'OSSL_PARAM_construct_[a-z0-9_]*[(][^c)]' "${sources[@]}")
    [[ -z $found ]] || fail "a parameter of libcrypto is named by cString(\"...\")" "$found"
}

# If it is indented, docc takes it for a parameter with that name.
rule_doc_comments() {
    found=$(grep -nE '^ *///  +- (Throws|Returns):' "${sources[@]}" || true)
    [[ -z $found ]] || fail "'- Throws:' and '- Returns:' stand beside '- Parameters:', not below it" "$found"
}

rule_testable() {
    found=$(code_matching '@testable|#filePath' "${tests[@]}")
    [[ -z $found ]] || fail "tests use package access and resources, not @testable or #filePath" "$found"
}

# The log of a run shows the name, and without one the function's.
rule_test_names() {
    only tests_and_examples Tests 'Examples/[A-Za-z]+/Tests'
    found=$(awk '
        { sub(/(^|[^:"])\/\/.*$/, "") }
        opened != "" { if (!/^ *#*"/) print opened $0; opened = "" }
        /@(Test|Suite)[(] *$/ { opened = FILENAME ":" FNR ": " $0; next }
        /@(Test|Suite)([^A-Za-z0-9_]|$)/ && !/@(Test|Suite)[(]#*"/ { print FILENAME ":" FNR ": " $0 }
    ' "${chosen[@]}")
    [[ -z $found ]] || fail "a test or suite without a display name as its first argument" "$found"
}

# SecretServiceWorker is a program of its own, so there it harms no exit test.
rule_programs_of_tests() {
    but tests SecretServiceWorker
    found=$(code_matching '(^|[^A-Za-z_])Process[(][)]|posix_spawn[(]' "${chosen[@]}")
    [[ -z $found ]] || fail "tests start programs by ChildProgram: it says why not by Foundation's Process" "$found"
}

# A backend of PostgreSQL has one thread, and stands at once.
rule_stopped_programs() {
    but tests_and_examples SignetPostgresTests TestPrograms/Reaper.swift SecretServiceWorker/Daemon.swift
    found=$(code_matching '(signal|[^.]kill)[(].*SIGSTOP' "${chosen[@]}")
    [[ -z $found ]] || fail "programs are stopped by stop(): it waits until all their threads stand" "$found"
}

# On a busy machine, any other limit is exceeded by chance. To limit what a test costs, count, or
# measure processor time (ThreadClock).
rule_wall_clock() {
    found=$(code_matching '[.]timeLimit[(]' "${tests_and_examples[@]}" | grep -vF '.timeLimit(.minutes(20))' || true
        code_matching '((Continuous|Suspending)Clock([(][)])?[.]now|(^|[^A-Za-z0-9_)])[.]now|(^|[^.A-Za-z0-9_])now[(][)]) - [A-Za-z_.]+ <' "${tests_and_examples[@]}"
        code_matching '[.]duration[(]to: [A-Za-z_.]*[)] <' "${tests_and_examples[@]}")
    [[ -z $found ]] || fail "a limit of wall-clock time: only '.timeLimit(.minutes(20))', against hangs" "$found"
}

# What may be done only in the files that a list names, with the number of places:
#   unlike_list PATTERN LIST
unlike_list() {
    diff <(sed -nE 's/^([0-9]+) ([^:]+): .+$/\2 \1/p' "$2" |
        while read -r name places; do echo "$(located "$name") $places"; done | sort) \
        <(code_matching "$1" "${sources[@]}" | awk -F ':' -v pattern="$1" \
            '{ places[$1] += gsub(pattern, "") } END { for (file in places) print file, places[file] }' | sort) |
        sed -nE 's/^< (.*)$/listed: \1/p; s/^> (.*)$/found:  \1/p' || true
}

rule_received_text() {
    found=$(unlike_list '[.]swiftString[(][)]' Scripts/received-text.txt)
    [[ -z $found ]] ||
        fail "callers of ReceivedText.swiftString() that Scripts/received-text.txt does not list so" "$found"
}

# A message holds text as \(shown: …): escaped, and at most 64 characters of it.
rule_reported_text() {
    found=$(unlike_list '[(]reported: ' Scripts/reported-text.txt)
    [[ -z $found ]] || fail "texts in messages as they are, which Scripts/reported-text.txt does not list so" "$found"
}

rule_literal_messages() {
    found=$(code_matching 'ErrorMessage[(]stringLiteral|[.]appendLiteral[(]' "${sources[@]}" "${tests_and_examples[@]}" || true)
    [[ -z $found ]] || fail "a message is written as a literal" "$found"
}

# Duration.components ends the process for a duration beyond 64 bits of seconds. Duration+Whole.swift has what does not.
rule_durations() {
    found=$(code_matching '([.]|= |[(])components([.]seconds|[.]attoseconds|$)' "${sources[@]}")
    [[ -z $found ]] || fail "a duration is read by wholeSeconds, wholeMilliseconds or inSeconds" "$found"
}

rule_void_closures() {
    found=$(code_matching '[{] *([[][^]]*] *)?[(][^(){}]*[)] *(async *)?(throws([(][A-Za-z.]+[)])? *)?-> Void in' "${sources[@]}")
    [[ -z $found ]] || fail "a closure that says '-> Void', which the compiler infers" "$found"
}

# Fails with what a script of this folder finds.
checked_by() { # script, title, its arguments
    found=$(python3 "Scripts/$1" "${@:3}" 2>&1) || fail "$2" "$found"
}

rule_test_clocks() {
    checked_by test-clocks.py \
        "tests that read the system's time, which Scripts/test-clocks.txt does not list: give them a clock"
}

rule_compared_by_bytes() {
    only sources SignetSessionTokens SignetIdentity SignetCurl SignetSignIn SignetSession SignetSupabase SignetSupabaseAdmin signet
    found=$(code_matching 'extension ReceivedText *:|struct ReceivedText *:.*(Equatable|Hashable|Comparable)|func (==|~=|<) *[(][^)]*ReceivedText' "${sources[@]}"
        code_matching '[.]stringValue' "${chosen[@]}")
    [[ -z $found ]] ||
        fail "received text is compared by bytes: it has no operators, and JSONNode.stringValue is for our own vectors" "$found"
}

rule_printing() {
    but sources signet
    found=$(code_matching '(^|[^.A-Za-z_])(print|debugPrint|dump)[(]' "${chosen[@]}")
    [[ -z $found ]] || fail "a library does not print" "$found"
}

# The tokens of the demonstration and the vectors are public anyway.
rule_credentials() {
    local secret='-----BEGIN [A-Z ]*PRIVATE KEY-----|sb_secret_[A-Za-z0-9_-]{16}|AKIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{35}'
    secret+='|gh[pousr]_[A-Za-z0-9]{36}|xox[abprs]-[0-9A-Za-z-]{10}|eyJ[A-Za-z0-9_-]{16,}[.]eyJ[A-Za-z0-9_-]{16,}[.]'
    but all_files Tests TestVectors Scripts/demo 'Examples/[A-Za-z]+/Tests'
    found=$(printf '%s\0' "${chosen[@]}" | xargs -0 grep -nIE -e "$secret" -- | cut -c1-120) || true
    [[ -z $found ]] || fail "what looks like a credential" "$found"
}

# Only what says what to use instead names what is gone.
rule_gone() {
    local files gone
    mapfile -t gone < <(awk 'NF && !/^#/ { print "-e"; print $1 }' Scripts/gone.txt)
    mapfile -t files < <(printf '%s\n' "${all_files[@]}" | grep -vxF -e CHANGELOG.md -e Scripts/gone.txt)
    found=$(diff <(awk '!/^#/ { for (i = 2; i <= NF; i++) print $i ":" $1 }' Scripts/gone.txt | sort) \
        <({
            printf '%s\0' "${files[@]}" | xargs -0 grep -oIwHF "${gone[@]}" -- || true
            printf '%s\n' "${files[@]}" | grep -wF "${gone[@]}" || true
        } | sort) | sed -nE 's/^< (.*)$/listed: \1/p; s/^> (.*)$/found:  \1/p' || true)
    [[ ${#gone[@]} -gt 0 && -z $found ]] ||
        fail "names of what is gone, which Scripts/gone.txt does not list so" "${found:-no name}"
}

# The licence line must be among the first three (a script's first line names its interpreter, a manifest's its tools version).
rule_licence() {
    local files=("${swift_files[@]}" "${shell_files[@]}" "${c_files[@]}" "${python_files[@]}")
    found=$(comm -23 <(printf '%s\n' "${files[@]}" | sort) <(
        awk 'FNR <= 3 && /SPDX-License-Identifier: Apache-2.0/ { print FILENAME; nextfile }' "${files[@]}" | sort
    ))
    [[ -z $found ]] || fail "no licence head" "$found"
}

rule_file_length() {
    found=$(wc -l "${sources[@]}" | awk '$1 > 500 && $2 != "total" { print $2 ": " $1 " lines" }')
    [[ -z $found ]] || fail "more than 500 lines in a source file: two concepts in one room" "$found"
}

rule_folders() {
    found=$(printf '%s\n' "${sources[@]}" "${tests[@]}" | sed 's#/[^/]*$##' | sort | uniq -c |
        awk '$1 > 24 { print $2 ": " $1 " files" }')
    [[ -z $found ]] || fail "more than 24 files in a folder: divide it by what uses what (arrows.py --all)" "$found"
}

rule_tags() {
    local tags
    tags=$(sed -nE 's/.*static var (\w+):.*/\1/p' "$(located TestSupport/Tags.swift)")
    found=$(while read -r tag; do
        [[ $tag == sampled ]] || grep -qE -- "--tag $tag( |$)" Scripts/parts.ini || echo "$tag"
    done <<<"$tags")
    [[ -n $tags && -z $found ]] || fail "tags that no part of Scripts/parts.ini runs" "${found:-there is no tag}"
}

# Without them systemd gives up after five starts in 10 s, while the database is away.
rule_restarts() {
    local unit=Examples/AuthServer/Deployment/auth-server.service
    found=$(awk '/^\[/ { section = $0; next } { print section $0 }' "$unit" |
        grep -xE '\[Unit\]StartLimitIntervalSec=0|\[Service\]Restart(=on-failure|Sec=2)' | sort -u | wc -l)
    [[ $found -eq 3 ]] || fail "$unit does not restart the server for as long as it takes" \
        "[Unit] StartLimitIntervalSec=0, [Service] Restart=on-failure and RestartSec=2"
}

rule_shell() {
    if ! command -v shellcheck >/dev/null 2>&1; then
        echo "lint: shellcheck is not installed, shell scripts are not checked" >&2
        return
    fi
    found=$(shellcheck "${shell_files[@]}" 2>&1) || fail "what shellcheck finds" "$found"
}

rule_python() {
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
}

rule_gate() {
    checked_by gate_test.py "the gate chooses other parts than gate_test.py says"
}

rule_release() {
    checked_by releasing_test.py "a release goes another way than releasing_test.py says, or RELEASING.md lists other placeholders"
}

# No one has run them, so they hold nothing that could go wrong there alone.
rule_workflows() {
    local makes
    makes=$(sed -nE 's/^([a-z][a-z0-9-]*):.*/\1/p' Makefile | paste -sd '|')
    found=$(grep -nE '^ *(- *)?(run|uses):' .github/workflows/*.yml 2>&1 |
        grep -vE "[ -](run: make ($makes)|uses: [A-Za-z0-9_./-]+@[0-9a-f]{40} # v[0-9.]+)\$" || true
        diff <(Scripts/package.py products | grep -vE '^_|Hummingbird' | sort) \
            <(sed -nE 's/^ +- (Signet\w+)$/\1/p' .spi.yml | sort) | grep '^[<>]' || true)
    [[ -z $found ]] || fail "a workflow does more than a target of the Makefile, or .spi.yml lists other products" "$found"
}

rule_api() {
    checked_by api_test.py "the list of public declarations holds something else than api_test.py says"
    checked_by api.py "public declarations have changed, and the changelog does not tell of it"
}

rule_arrows() {
    checked_by arrows.py "inside a target, arrows point one way"
}

rule_labels() {
    checked_by reading.py "a parameter after the first has no label (CONTRIBUTING.md, names)" labels
}

rule_tuples() {
    checked_by reading.py "a tuple is assigned: write a line for each name" tuples
}

rule_sentences() {
    checked_by reading.py "comments point or open with a relative word: write the noun" sentences
}

rule_type_names() {
    checked_by type-names.py "a type's name stands in two targets"
}

rule_retired_words() {
    checked_by retired-words.py "identifiers with a word that the glossary of CONTRIBUTING.md retires"
}

rule_error_causes() {
    checked_by error-causes.py "an error of another layer is translated without 'underlying:', so its code is lost"
}

rule_requirements() {
    checked_by requirements.py "pages of Documentation name what is not in the tree, or sums that are wrong"
}

rule_architecture() {
    checked_by architecture.py "Documentation/ARCHITECTURE.md draws what the code is not"
}

rule_vault_format() {
    checked_by vault-format.py "Documentation/VAULT-FORMAT.md shows other octets than the tests"
}

rule_examples() {
    checked_by examples.py "examples that nothing compiles"
}

rule_prose() {
    checked_by prose.py "Markdown wider than 100 columns, or words that CONTRIBUTING.md advises against, also in ///"
}

rule_size() {
    checked_by size.py "more than Scripts/size.txt allows; CONTRIBUTING.md has the questions of whoever raises it"
}

# Of Git's files; an archive without Git has no pattern that may go out of date.
rule_paths() {
    found=$(printf '%s\n' "${all_files[@]}" | python3 Scripts/paths.py /dev/stdin 2>&1) ||
        fail "scripts name paths that nothing has" "$found"
}

rule_prototypes() {
    found=$(Scripts/check-libsecret-prototypes.sh 2>&1) || fail "CLibsecret/shim.h differs from the real headers" "$found"
}

# Last, because it takes longest: each rule above finds the violation that is planted for it.
rule_table() {
    [[ $failures -eq 0 ]] || { echo "lint: table: not run, because of the findings above" >&2; return; }
    checked_by lint-table.py "rules that do not find what Scripts/lint-table.ini plants for them"
    [[ $failures -gt 0 ]] || echo "$found"
}

if [[ $failures -eq 0 ]]; then
    for rule in "${rules[@]}"; do "rule_$rule"; done
fi
if [[ $failures -gt 0 ]]; then
    echo "lint: $failures kinds of finding" >&2
    exit 1
fi
echo "lint: ${#rules[@]} rules, ${#swift_files[@]} Swift files, ${#shell_files[@]} shell scripts, ${#python_files[@]} Python files: clean"
