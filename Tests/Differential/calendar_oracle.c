/* Expands events with libical, for comparison.
 *
 * Reads one VEVENT a line. The character "|" separates the lines of the VEVENT. All times are floating
 * or dates, so libical needs no zone. Writes for each event its start times in the years 2026 to 2028, as
 * 20270302T080000, separated by spaces.
 *
 *   cc -O2 -o calendar_oracle calendar_oracle.c -lical
 */
#define _GNU_SOURCE
#include <libical/ical.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void show(icalcomponent *component, struct icaltime_span *span, void *data)
{
    struct tm time;
    char text[32];
    (void)component;
    (void)data;
    gmtime_r(&span->start, &time);
    strftime(text, sizeof text, "%Y%m%dT%H%M%S", &time);
    printf("%s ", text);
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    icalerror_set_errors_are_fatal(0);
    struct icaltimetype from = icaltime_from_string("20260101T000000");
    struct icaltimetype to = icaltime_from_string("20281231T000000");
    while (getline(&line, &size, stdin) > 0) {
        for (char *place = line; *place; place++)
            if (*place == '|')
                *place = '\n';
        icalcomponent *event = icalparser_parse_string(line);
        if (!event) {
            puts("! refused");
        } else {
            icalcomponent_foreach_recurrence(event, from, to, show, NULL);
            putchar('\n');
            icalcomponent_free(event);
        }
        fflush(stdout);
    }
    free(line);
    return 0;
}
