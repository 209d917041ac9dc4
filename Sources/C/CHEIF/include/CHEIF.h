/* Imports libheif, and makes small pictures from the pictures that libheif decodes. */
#ifndef PROMPTER_HEIF_H
#define PROMPTER_HEIF_H
#include <libheif/heif.h>
#include <stdint.h>

/* Writes a decoded picture with `width` × `height` pixels of four bytes each: blue, green, red, alpha. The size is at
   most the size of the picture. Each pixel is the mean of the pixels that it replaces. Returns 0, or -1 if this
   function does not support the form of the picture. */
int prompter_heif_shrink(const struct heif_image *picture, int width, int height, uint8_t *pixels);

#endif
