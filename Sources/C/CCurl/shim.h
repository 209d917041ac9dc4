#include <curl/curl.h>

// `curl_easy_setopt` and `curl_easy_getinfo` are variadic, so Swift cannot call them.

static inline CURLcode prompter_curl_text(CURL *curl, CURLoption option, const char *value) {
  return curl_easy_setopt(curl, option, value);
}

static inline CURLcode prompter_curl_number(CURL *curl, CURLoption option, long value) {
  return curl_easy_setopt(curl, option, value);
}

static inline CURLcode prompter_curl_headers(CURL *curl, struct curl_slist *list) {
  return curl_easy_setopt(curl, CURLOPT_HTTPHEADER, list);
}

/// Sets two callbacks of a curl handle: `body` receives each piece of the body, and `header` receives each line of the
/// header. Both callbacks receive `context`.
static inline CURLcode prompter_curl_receivers(CURL *curl,
    size_t (*body)(char *, size_t, size_t, void *), size_t (*header)(char *, size_t, size_t, void *),
    void *context) {
  CURLcode code = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, body);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_WRITEDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, header);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_HEADERDATA, context);
  return code;
}

static inline long prompter_curl_status(CURL *curl) {
  long status = 0;
  return curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status) == CURLE_OK ? status : 0;
}
