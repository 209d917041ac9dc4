/* Makes a smaller picture from a PNG, without the whole PNG in memory.

   The simple interface of libpng decodes only whole pictures, and needs 430 MB of memory for 108 megapixels. The full
   interface reads rows, but reports errors with longjmp. Swift does not support longjmp, so this code is C. */
#include "CPNGRows.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state of the decoding of one PNG. The caller of the function that calls setjmp owns this state, so longjmp does
   not change the state. */
struct job {
  const uint8_t *bytes;
  size_t rest;
  png_structp png;
  png_infop info;
  uint8_t *row;
  uint64_t *sums; /* For each column of the small picture: blue, green and red, weighted with alpha, and alpha. */
  char *reason;
};

static void read_bytes(png_structp png, png_bytep target, size_t count) {
  struct job *job = png_get_io_ptr(png);
  if (job->rest < count) png_error(png, "the end of the file is missing");
  memcpy(target, job->bytes, count);
  job->bytes += count;
  job->rest -= count;
}

static void fail(png_structp png, png_const_charp reason) {
  struct job *job = png_get_error_ptr(png);
  snprintf(job->reason, PROMPTER_PNG_REASON, "%s", reason);
  png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp reason) {
  (void)png;
  (void)reason;
}

/* Returns the index of the first pixel of the large picture that belongs to a pixel of the small picture. */
static size_t start(int index, size_t large, int small) { return (size_t)index * large / (size_t)small; }

static void add_row(const struct job *job, size_t columns, int width) {
  for (int x = 0; x < width; x++) {
    uint64_t *sum = job->sums + (size_t)x * 4;
    for (size_t column = start(x, columns, width); column < start(x + 1, columns, width); column++) {
      const uint8_t *pixel = job->row + column * 4;
      unsigned alpha = pixel[3];
      sum[0] += pixel[0] * alpha;
      sum[1] += pixel[1] * alpha;
      sum[2] += pixel[2] * alpha;
      sum[3] += alpha;
    }
  }
}

/* Writes the mean of the rows in the sum, and begins a new sum. */
static void end_row(const struct job *job, size_t columns, size_t rows, int width, uint8_t *pixels) {
  for (int x = 0; x < width; x++) {
    uint64_t *sum = job->sums + (size_t)x * 4;
    uint64_t count = (start(x + 1, columns, width) - start(x, columns, width)) * rows;
    for (int channel = 0; channel < 3; channel++)
      pixels[x * 4 + channel] = sum[3] ? (uint8_t)((sum[channel] + sum[3] / 2) / sum[3]) : 0;
    pixels[x * 4 + 3] = (uint8_t)((sum[3] + count / 2) / count);
  }
  memset(job->sums, 0, (size_t)width * 4 * sizeof *job->sums);
}

static int decode(struct job *job, int width, int height, uint8_t *pixels) {
  if (setjmp(png_jmpbuf(job->png))) return -1;
  png_set_read_fn(job->png, job, read_bytes);
  png_read_info(job->png, job->info);
  /* Convert every kind of PNG to sRGB, with 8 bits for each of blue, green, red and alpha. */
  png_set_alpha_mode(job->png, PNG_ALPHA_PNG, PNG_DEFAULT_sRGB);
  png_set_expand(job->png);
  png_set_scale_16(job->png);
  png_set_gray_to_rgb(job->png);
  png_set_add_alpha(job->png, 0xFF, PNG_FILLER_AFTER);
  png_set_bgr(job->png);
  png_read_update_info(job->png, job->info);
  size_t columns = png_get_image_width(job->png, job->info), rows = png_get_image_height(job->png, job->info);
  if (png_get_rowbytes(job->png, job->info) != columns * 4 || columns < (size_t)width || rows < (size_t)height)
    png_error(job->png, "its rows have an unknown form");
  job->row = malloc(columns * 4);
  job->sums = calloc((size_t)width * 4, sizeof *job->sums);
  if (!job->row || !job->sums) png_error(job->png, "not enough memory");
  size_t read = 0;
  for (int y = 0; y < height; y++) {
    size_t first = read;
    for (; read < start(y + 1, rows, height); read++) {
      png_read_row(job->png, job->row, NULL);
      add_row(job, columns, width);
    }
    end_row(job, columns, read - first, width, pixels + (size_t)y * (size_t)width * 4);
  }
  return 0;
}

int prompter_png_shrink(const uint8_t *file, size_t count, int width, int height, uint8_t *pixels,
                        char reason[PROMPTER_PNG_REASON]) {
  struct job job = {.bytes = file, .rest = count, .reason = reason};
  snprintf(reason, PROMPTER_PNG_REASON, "not enough memory");
  job.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &job, fail, ignore);
  if (job.png) job.info = png_create_info_struct(job.png);
  int code = job.info ? decode(&job, width, height, pixels) : -1;
  png_destroy_read_struct(&job.png, &job.info, NULL);
  free(job.row);
  free(job.sums);
  return code;
}
