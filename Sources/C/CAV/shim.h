#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/cpu.h>
#include <libavutil/log.h>
#include <libavutil/mem.h>
#include <libswresample/swresample.h>

/* Swift does not import macros whose values are casts. */
static inline int prompter_av_again(void) { return AVERROR(EAGAIN); }
static inline int prompter_av_end(void) { return AVERROR_EOF; }
static inline int prompter_av_invalid(void) { return AVERROR(EINVAL); }
static inline int64_t prompter_av_no_time(void) { return AV_NOPTS_VALUE; }
