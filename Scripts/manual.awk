# Signet: security primitives for Swift on Linux
# SPDX-License-Identifier: Apache-2.0
#
# Mends what swift-argument-parser's generate-manual writes: a page is named signet-jwt-sign, which
# whatis understands, indented lines stay as they are, and the exit statuses are those of signet(1),
# not 0 and more.
isLiteral && !/^ / { print ".Ed"; isLiteral = 0 }
/^\.(Dt|Xr) / { gsub(/\./, "-", $2); sub(/^-/, ".", $1) }
/^\.Dt / { isRoot = $2 == "SIGNET" }
/^\.Nm "/ { name = $0; gsub(/"/, ""); gsub(/ /, "-"); sub(/-/, " ") }
/^\.Nd "/ { sub(/"/, ""); sub(/"$/, "") }
/^\.Nm$/ && name { $0 = name }
/^\.Sh / { isText = $0 == ".Sh DESCRIPTION" }
/^\.Bl / && isText { print ".Sh OPTIONS"; isText = 0 }
/^\.Sh "EXIT STATUS"$/ && isRoot { getline; next }
/^\.Ex -std$/ { print ".Xr signet 1\nlists them."; next }
!isText { print; next }
/^$/ { isParagraph = 1; next }
/^[A-Z][A-Z ]+$/ { print ".Ss " $0; isParagraph = 0; next }
isParagraph && !/^ / { print ".Pp" }
/^ / && !isLiteral { print ".Bd -literal -compact"; isLiteral = 1 }
{ isParagraph = 0; print }
