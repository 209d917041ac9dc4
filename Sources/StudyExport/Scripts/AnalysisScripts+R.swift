extension AnalysisScripts {
  /// The part of analysis.R that computes summary.csv.
  static let rSummary = #"""
    #!/usr/bin/env Rscript
    # Computes summary.csv and estimates.csv from prompts.csv, phases.csv and participants.csv:
    #   Rscript analysis.R [DIRECTORY [STUDY]] > summary.csv
    #   Rscript analysis.R [DIRECTORY [STUDY]] --estimates > estimates.csv
    # If the file contains one study, only the prompts of this study count. If it contains several studies, name one of
    # them, or write --everybody to count all prompts. With --suppress-small, small numbers stay empty.
    # Needs only base R. "prompter report" writes the same numbers. codebook.csv explains the columns.

    # Outcomes of prompts that nobody was expected to complete, and of prompts for which the device could not ask.
    not_expected <- c("open", "announcement", "suppressed_quiet_hours", "suppressed_cap", "suppressed_paused",
                      "cancelled_before_due", "cancelled_while_ringing", "superseded_by_edit")
    not_asked <- c("missed_audio_failed", "missed_device_off", "missed_suspended",
                   "missed_clock_invalid", "unknown_crash")

    given <- commandArgs(trailingOnly = TRUE)
    suppresses <- "--suppress-small" %in% given
    wants_estimates <- "--estimates" %in% given
    given <- given[!(given %in% c("--suppress-small", "--estimates"))]
    directory <- c(given, ".")[1]
    p <- read.csv(file.path(directory, "prompts.csv"), colClasses = "character",
                  na.strings = character(), check.names = FALSE, encoding = "UTF-8")
    studies <- setdiff(unique(p$study_id), "")
    chosen <- if (length(given) > 1) given[2] else if (length(studies) == 1) studies else "--everybody"
    if ((length(given) < 2 && length(studies) > 1) || !(chosen %in% c(studies, "--everybody"))) {
      stop("name one of these studies, or write --everybody: ", paste(sort(studies), collapse = ", "))
    }
    # People who withdrew from a study and do not allow the study to use their data.
    barred <- character()
    if (file.exists(file.path(directory, "participants.csv"))) {
      left <- read.csv(file.path(directory, "participants.csv"), colClasses = "character",
                       na.strings = character(), check.names = FALSE, encoding = "UTF-8")
      if ("data_use" %in% names(left) && "study_id" %in% names(p)) {
        left <- left[left$data_use == "none", ]
        barred <- paste(left$study_id, left$person)
        p <- p[!(paste(p$study_id, p$person) %in% barred), ]
      }
    }
    if (chosen != "--everybody") p <- p[p$study_id == chosen, ]
    for (column in grep("^is_", names(p), value = TRUE)) p[[column]] <- as.logical(p[[column]])
    p$phase[p$phase == ""] <- "none"
    p$person[p$person == ""] <- "unknown"
    p$outcome[p$outcome == ""] <- "open"
    p$outcome[p$is_announcement] <- "announcement"  # it asks for no task
    p$planned <- !(p$outcome %in% not_expected)
    p$asked <- p$planned & !(p$outcome %in% not_asked)
    p$answered <- p$first_answer != ""
    p$completed <- startsWith(p$outcome, "completed")
    for (column in c("first_ring_latency_ms", "answer_after_ring_ms", "completion_latency_ms",
                     "rings_to_answer")) p[[column]] <- as.numeric(p[[column]])
    p$day <- if ("due_local" %in% names(p)) {
      as.numeric(as.Date(substr(p$due_local, 1, 10), format = "%Y-%m-%d"))
    } else as.numeric(p$due_day)

    # Exports of earlier versions have no column monitored_s.
    monitored <- NULL
    if (file.exists(file.path(directory, "phases.csv"))) {
      phases <- read.csv(file.path(directory, "phases.csv"), colClasses = "character",
                         na.strings = character(), check.names = FALSE, encoding = "UTF-8")
      if ("monitored_s" %in% names(phases) && nrow(phases) > 0) {
        monitored <- phases[phases$person %in% p$person, ]
        monitored$s <- as.numeric(monitored$monitored_s)
        if ("study_id" %in% names(monitored)) {
          if (chosen != "--everybody") monitored <- monitored[monitored$study_id == chosen, ]
          monitored <- monitored[!(paste(monitored$study_id, monitored$person) %in% barred), ]
        }
      }
    }

    rows <- "phase,person,measure,n,of,value,is_small"
    put <- function(phase, person, measure, n, of = NULL, value = NULL) {
      if (is.null(value) && !is.null(of) && of > 0) value <- 100 * n / of
      small <- measure != "monitored_h" && ((n > 0 && n < 5) || (!is.null(of) && of - n > 0 && of - n < 5))
      numbers <- c(sprintf("%d", as.integer(n)),
                   if (is.null(of)) "" else sprintf("%d", as.integer(of)),
                   if (is.null(value)) "" else sprintf("%.1f", value))
      if (small && suppresses) numbers <- c("", "", "")
      cells <- c(phase, person, measure, numbers, if (small) "true" else "false")
      rows <<- c(rows, paste(cells, collapse = ","))
    }

    measures <- function(phase, person, group) {
      say <- function(...) put(phase, person, ...)
      planned <- group[group$planned, ]
      asked <- group[group$asked, ]
      say("prompts", nrow(group))
      for (outcome in not_expected) say(paste0("excluded_", outcome), sum(group$outcome == outcome))
      say("planned", nrow(planned), nrow(group))
      for (outcome in not_asked) say(paste0("not_asked_", outcome), sum(group$outcome == outcome))
      say("asked", nrow(asked), nrow(planned))
      say("delivered", sum(planned$is_delivered), nrow(planned))
      say("answered", sum(asked$answered), nrow(asked))
      say("completed", sum(asked$completed), nrow(asked))
      for (minutes in c(15, 30, 60)) {
        within <- abs(asked$completion_latency_ms) <= minutes * 60000
        say(sprintf("completed_within_%d_min", minutes), sum(within, na.rm = TRUE), nrow(asked))
      }
      for (outcome in c("declined", "missed_no_response")) {
        say(outcome, sum(asked$outcome == outcome), nrow(asked))
      }
      scales <- list(c("first_ring_latency_s", "first_ring_latency_ms", 1000),
                     c("answer_after_ring_s", "answer_after_ring_ms", 1000),
                     c("completion_latency_min", "completion_latency_ms", 60000),
                     c("rings_to_answer", "rings_to_answer", 1))
      for (scale in scales) {
        values <- planned[[scale[2]]]
        values <- values[!is.na(values)]
        for (part in list(c("q1", 0.25), c("median", 0.5), c("q3", 0.75))) {
          value <- if (length(values) > 0) {
            quantile(values, as.numeric(part[2]), type = 7, names = FALSE) / as.numeric(scale[3])
          }
          say(paste0(scale[1], "_", part[1]), length(values), NULL, value)
        }
      }
      if (!is.null(monitored)) {
        part <- monitored
        if (person != "all") part <- part[part$person == person, ]
        if (phase != "all") part <- part[part$phase == phase, ]
        say("monitored_h", sum(part$s > 0), NULL, sum(part$s) / 3600)
      }
    }

    for (person in c("all", sort(unique(p$person), method = "radix"))) {
      own <- if (person == "all") p else p[p$person == person, ]
      measures("all", person, own)
      for (phase in sort(unique(own$phase), method = "radix")) {
        measures(phase, person, own[own$phase == phase, ])
      }
    }

    # Kaplan and Meier: a person discontinued on the last day with an answer if the device still asked the person at
    # least seven days later. Other people are censored on the last day on which the device asked. Days on which all
    # asked prompts belong to a control phase do not count, because no prompt rings.
    known <- p[p$asked & !is.na(p$day), ]
    people <- lapply(split(known, known$person), function(own) {
      prompted <- own[own$phase != "control", ]
      if (nrow(prompted) == 0) return(NULL)
      silent <- setdiff(own$day, prompted$day)
      number <- function(day) day - sum(silent < day)
      first <- number(min(prompted$day))
      last <- number(max(prompted$day))
      answers <- prompted$day[prompted$answered]
      answered <- if (length(answers) > 0) number(max(answers)) else first - 1
      ended <- last - answered >= 7
      list(days = (if (ended) answered else last) - first + 1, ended = ended)
    })
    people <- Filter(Negate(is.null), people)
    days <- vapply(people, function(one) one$days, numeric(1))
    ended <- vapply(people, function(one) one$ended, logical(1))
    for (limit in c(7, 14, 28)) {
      share <- 1
      for (day in sort(unique(days[ended & days < limit]))) {
        share <- share * (1 - sum(ended & days == day) / sum(days >= day))
      }
      put("all", "all", sprintf("persisting_%d_days", limit), length(days) - sum(ended & days < limit),
          length(days), if (length(days) > 0) 100 * share)
    }

    if (!wants_estimates) {
      writeLines(rows)
      quit(save = "no")
    }

    """#
}
