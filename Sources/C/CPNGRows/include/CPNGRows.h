/* Reads a PNG row by row, and makes a smaller picture from the rows. */
#ifndef PROMPTER_PNG_ROWS_H
#define PROMPTER_PNG_ROWS_H
#include <stddef.h>
#include <stdint.h>

enum { PROMPTER_PNG_REASON = 128 };

/* Decodes a PNG that is not interlaced. Writes `width` × `height` pixels of four bytes each: blue, green, red, alpha.
   The size is at most the size of the picture. Each pixel is the mean of the pixels that it replaces. Returns 0, or -1
   and the reason as text. */
int prompter_png_shrink(const uint8_t *file, size_t count, int width, int height, uint8_t *pixels,
                        char reason[PROMPTER_PNG_REASON]);

#endif
