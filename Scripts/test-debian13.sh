#!/usr/bin/env bash
# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# The tests and the audit in a Debian 13 (OpenSSL 3.5), with the default and with the FIPS provider.
# Where no such root can be made it says so, and fails nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly scratch=.build/debian13
readonly targets=SignetCryptoTests,SignetJOSETests,SignetJSONTests,SignetIdentityTests,SignetVaultTests
readonly more=SignetCurlTests,SignetSessionTests,SignetAccountsTests,SignetPostgresTests
mkdir -p "$scratch"

inside() {
    Scripts/debian.sh 13 "export SIGNET_OPTIMIZED_EMAIL=1 SIGNET_TEST_TARGETS=$targets,$more; $1"
}

status=0
inside true || status=$?
[[ $status -ne 77 ]] || exit 0
[[ $status -eq 0 ]] || exit "$status"

# An audit with a provider: the report beside the others, its verdict here.
# shellcheck disable=SC2016 # what the shell inside expands
readonly audit='
    audit() { # name, configuration of libcrypto
        local file=.build/debian13/audit-$1.txt status=0
        OPENSSL_CONF=$2 "$signet" audit >"$file" || status=$?
        echo "debian13: audit, $1: $(tail -n 7 "$file")"
        [[ $status -eq 0 ]]
    }'
# A process that fetches with fips=yes, from a module that was installed with options of fipsinstall.
# shellcheck disable=SC2016 # what the shell inside expands
readonly configure='
    configure() { # name, options
        local folder=/etc/ssl/signet-$1
        mkdir -p "$folder"
        openssl fipsinstall -quiet ${2:-} -out "$folder/module.cnf" \
            -module "$(dirname "$(find /usr/lib -name fips.so)")/fips.so"
        printf "%s\n" "config_diagnostics = 1" "openssl_conf = init" ".include $folder/module.cnf" \
            "[init]" "providers = providers" "alg_section = algorithms" \
            "[providers]" "fips = fips_sect" "base = base" "[base]" "activate = 1" \
            "[algorithms]" "default_properties = fips=yes" >"$folder/openssl.cnf"
    }'

inside "
    Scripts/bootstrap.sh test
    $configure
    configure fips
    configure pedantic -pedantic
    export SIGNET_FIPS_CONF=/etc/ssl/signet-fips/openssl.cnf
    Scripts/test.sh --quick --scratch-path $scratch
    # What derives from passwords, in a process with the FIPS provider.
    OPENSSL_CONF=\$SIGNET_FIPS_CONF $scratch/debug/signetPackageTests.xctest \\
        --testing-library swift-testing \\
        --filter 'PassphraseUnlockTests|PasswordHasherTests|UnlockOfferTests'
    swift build --product signet --scratch-path $scratch \$(Scripts/bootstrap.sh --flags)
    signet=\$PWD/$scratch/debug/signet
    $audit
    audit default /etc/ssl/openssl.cnf
    audit fips /etc/ssl/signet-fips/openssl.cnf
    audit pedantic /etc/ssl/signet-pedantic/openssl.cnf
    # A vault and a sealed file with each provider, for the system outside.
    rm -rf $scratch/made
    mkdir -m 700 $scratch/made
    cd $scratch/made
    printf 'correct horse battery staple\\n' >passphrase
    for provider in default fips; do
        configuration=/etc/ssl/openssl.cnf
        [[ \$provider == default ]] || configuration=/etc/ssl/signet-\$provider/openssl.cnf
        export OPENSSL_CONF=\$configuration
        \"\$signet\" vault init --vault \$provider.vault --new-passphrase-file passphrase
        printf secret | \"\$signet\" vault set --service test --vault \$provider.vault --passphrase-file passphrase
        printf secret | \"\$signet\" seal --passphrase-file passphrase >\$provider.sealed
    done
"

# They open with this system's libcrypto.
read -r -a flags <<<"$(Scripts/bootstrap.sh --flags)"
swift build --product signet "${flags[@]}"
signet=$(swift build --show-bin-path "${flags[@]}")/signet
cd "$scratch/made"
for provider in default fips; do
    [[ $("$signet" vault get --service test --vault "$provider.vault" --passphrase-file passphrase) == secret ]]
    [[ $("$signet" open --passphrase-file passphrase <"$provider.sealed") == secret ]]
    echo "debian13: a vault and a sealed file made with the $provider provider open here"
done
