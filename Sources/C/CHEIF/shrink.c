/* Makes a smaller picture from a decoded HEIF picture.

   libheif can convert a picture to RGB, but only in its full size. With this conversion, a picture of 48 megapixels
   needs 342 MB of memory. Without the conversion, the picture needs 223 MB. This code reads the planes as the codec
   wrote them, and computes only the pixels of the small picture. */
#include "CHEIF.h"

#include <stddef.h>

struct plane {
  const uint8_t *bytes;
  int stride;
  int width;
  int height;
  int is_wide; /* A sample has two bytes. */
  float largest;
};

/* Reads a plane of the picture. Returns 0 if the picture does not contain this plane. */
static int find(const struct heif_image *picture, enum heif_channel channel, struct plane *plane) {
  if (!heif_image_has_channel(picture, channel)) return 0;
  int bits = heif_image_get_bits_per_pixel_range(picture, channel);
  plane->width = heif_image_get_width(picture, channel);
  plane->height = heif_image_get_height(picture, channel);
  plane->bytes = heif_image_get_plane_readonly(picture, channel, &plane->stride);
  plane->is_wide = heif_image_get_bits_per_pixel(picture, channel) > 8;
  plane->largest = (float)((1 << bits) - 1);
  return plane->bytes && bits >= 1 && bits <= 16 && plane->width > 0 && plane->height > 0;
}

/* Divides the plane into `columns` × `rows` rectangles, and returns the mean of the samples in the rectangle (x, y). The
   result is from 0 to 1. */
static float mean(const struct plane *plane, int x, int columns, int y, int rows) {
  int left = (int)((int64_t)x * plane->width / columns), right = (int)((int64_t)(x + 1) * plane->width / columns);
  int top = (int)((int64_t)y * plane->height / rows), bottom = (int)((int64_t)(y + 1) * plane->height / rows);
  if (right <= left) right = left + 1;
  if (bottom <= top) bottom = top + 1;
  uint64_t sum = 0;
  for (int row = top; row < bottom; row++) {
    const uint8_t *bytes = plane->bytes + (size_t)row * (size_t)plane->stride;
    if (plane->is_wide) {
      const uint16_t *samples = (const uint16_t *)(const void *)bytes;
      for (int column = left; column < right; column++) sum += samples[column];
    } else {
      for (int column = left; column < right; column++) sum += bytes[column];
    }
  }
  return (float)sum / (float)((right - left) * (bottom - top)) / plane->largest;
}

static uint8_t byte(float value) { return value <= 0 ? 0 : value >= 1 ? 255 : (uint8_t)(value * 255 + 0.5f); }

/* The coding of the colours of a picture (ITU-T H.273). */
struct colours {
  float red;  /* The weight of red in the luma. */
  float blue; /* The weight of blue in the luma. */
  int is_full;
  int is_rgb; /* The planes are green, blue and red. */
};

static struct colours colours_of(const struct heif_image *picture) {
  /* If a picture does not describe its colours, use the colour coding of JPEG. */
  struct colours colours = {0.299f, 0.114f, 1, 0};
  struct heif_color_profile_nclx *profile = NULL;
  if (heif_image_get_nclx_color_profile(picture, &profile).code != heif_error_Ok || !profile) return colours;
  colours.is_full = profile->full_range_flag != 0;
  switch (profile->matrix_coefficients) {
    case heif_matrix_coefficients_RGB_GBR: colours.is_rgb = 1; break;
    case heif_matrix_coefficients_ITU_R_BT_709_5: colours.red = 0.2126f, colours.blue = 0.0722f; break;
    case heif_matrix_coefficients_SMPTE_240M: colours.red = 0.212f, colours.blue = 0.087f; break;
    case heif_matrix_coefficients_ITU_R_BT_2020_2_non_constant_luminance:
    case heif_matrix_coefficients_ITU_R_BT_2020_2_constant_luminance:
      colours.red = 0.2627f, colours.blue = 0.0593f;
      break;
    default: break;
  }
  heif_nclx_color_profile_free(profile);
  return colours;
}

static void put(uint8_t *pixel, float red, float green, float blue) {
  pixel[0] = byte(blue);
  pixel[1] = byte(green);
  pixel[2] = byte(red);
  pixel[3] = 255;
}

static void put_coded(uint8_t *pixel, const struct colours *colours, float luma, float cb, float cr) {
  if (colours->is_rgb) return put(pixel, cr, luma, cb);
  if (!colours->is_full) {
    luma = (luma * 255 - 16) / 219;
    cb = (cb * 255 - 128) / 224;
    cr = (cr * 255 - 128) / 224;
  } else {
    cb -= 128.0f / 255;
    cr -= 128.0f / 255;
  }
  float red = luma + 2 * (1 - colours->red) * cr;
  float blue = luma + 2 * (1 - colours->blue) * cb;
  float green = (luma - colours->red * red - colours->blue * blue) / (1 - colours->red - colours->blue);
  put(pixel, red, green, blue);
}

int prompter_heif_shrink(const struct heif_image *picture, int width, int height, uint8_t *pixels) {
  struct plane planes[3], alpha;
  int is_coded = find(picture, heif_channel_Y, &planes[0]);
  int is_grey = is_coded && !heif_image_has_channel(picture, heif_channel_Cb);
  if (is_coded && !is_grey) {
    if (!find(picture, heif_channel_Cb, &planes[1]) || !find(picture, heif_channel_Cr, &planes[2])) return -1;
  } else if (!is_coded) {
    if (!find(picture, heif_channel_R, &planes[0]) || !find(picture, heif_channel_G, &planes[1]) ||
        !find(picture, heif_channel_B, &planes[2]))
      return -1;
  }
  int has_alpha = find(picture, heif_channel_Alpha, &alpha);
  struct colours colours = colours_of(picture);
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      uint8_t *pixel = pixels + ((size_t)y * (size_t)width + (size_t)x) * 4;
      float first = mean(&planes[0], x, width, y, height);
      if (is_grey) {
        float light = colours.is_full ? first : (first * 255 - 16) / 219;
        put(pixel, light, light, light);
      } else {
        float second = mean(&planes[1], x, width, y, height), third = mean(&planes[2], x, width, y, height);
        if (is_coded) put_coded(pixel, &colours, first, second, third);
        else put(pixel, first, second, third);
      }
      if (has_alpha) pixel[3] = byte(mean(&alpha, x, width, y, height));
    }
  }
  return 0;
}
