/* libheif, and the conversion of its pictures to small ones. */
#ifndef PROMPTER_HEIF_H
#define PROMPTER_HEIF_H
#include <libheif/heif.h>
#include <stdint.h>

/* Writes a decoded picture with `width` × `height` pixels of four bytes each: blue, green, red, alpha. The size is at
   most the size of the picture. Each pixel is the mean of the pixels that it replaces. Returns 0, or -1 if the picture
   has a form that this function does not know. */
int prompter_heif_shrink(const struct heif_image *picture, int width, int height, uint8_t *pixels);

#endif
