// Signet: security primitives for Swift on Linux
// SPDX-License-Identifier: Apache-2.0

#ifndef CSIGNET_VECTOR_H
#define CSIGNET_VECTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether this processor has what the functions below are written for.
int csignet_has_vectors(void);

/// Reads whole blocks of 32 characters of base64 without white space as 24 bytes each, as long as each character of a
/// block belongs to the alphabet, of URLs and file names or the standard one, and as long as there is room for the block and
/// four bytes behind it, which may be written over.
///
/// Returns how many blocks were read, none without vectors. The caller reads the rest, and finds what is wrong there if anything
/// is.
size_t csignet_base64_decode_blocks(
    const uint8_t *text, size_t text_count, uint8_t *bytes, size_t bytes_count, bool is_url);

/// Writes blocks of 24 bytes as 32 characters each, as long as four more bytes can be read behind a block and there is room
/// for its characters.
///
/// Returns how many blocks were written, none without vectors.
size_t csignet_base64_encode_blocks(
    const uint8_t *bytes, size_t bytes_count, uint8_t *text, size_t text_count, bool is_url);

/// Writes one bit for each byte of a JSON text, the first one lowest: set where the byte is a quotation mark, a reverse solidus,
/// a control character or past ASCII, and for everything behind the end of the text. As many words as there are, of 64 bytes
/// each, up to the one that the end is in (all ones where a word ends there); those behind it are left as they are.
void csignet_json_marks(const uint8_t *text, size_t text_count, uint64_t *marks, size_t marks_count);

/// The same without vectors, as on processors that have none: for tests.
void csignet_json_marks_by_words(const uint8_t *text, size_t text_count, uint64_t *marks, size_t marks_count);

/// Writes a JSON string with its quotation marks: a comma before it, a colon behind it where they are wanted. As far as each
/// of its characters may stand there as it is: none is a quotation mark, a reverse solidus, a control character or past ASCII. Where
/// one is, it ends with what is before it, or up to 15 characters earlier.
///
/// There has to be room for four bytes more than the text has. Returns how many have been written, which may be followed by one
/// that means nothing; fewer than the text, the marks and what was wanted when it has ended early.
size_t csignet_json_write_quoted(const uint8_t *text, size_t count, uint8_t *room, bool comma, bool colon);

#endif
