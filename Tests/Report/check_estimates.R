# Compares estimates.csv with R's own tests and with the package sandwich:
#   Rscript check_estimates.R DIRECTORY NAME...
# Fails if a value in a row differs from the value of R, or if the file contains no row with one of the given names.
suppressPackageStartupMessages(library(sandwich))
given <- commandArgs(trailingOnly = TRUE)
read <- function(name) read.csv(file.path(given[1], name), colClasses = "character")
rows <- read("estimates.csv")
rows <- rows[rows$analysis == "main", ]
p <- read("prompts.csv")
p <- p[p$study_id == "trial-1" & p$person != "" & p$phase %in% c("prompted", "control"), ]
left <- read("participants.csv")
if ("data_use" %in% names(left)) {
  left <- left[left$data_use == "none" & left$study_id == "trial-1", ]
  stopifnot(any(p$person %in% left$person))
  p <- p[!(p$person %in% left$person), ]
}
p$outcome[p$outcome == ""] <- "open"
p$outcome[p$is_announcement == "true"] <- "announcement"
p <- p[!grepl("^open|^announcement|^suppressed_[qp]|^suppressed_cap|^cancelled|^superseded|^missed_[adsc]|^unknown", p$outcome), ]
p$y <- 100 * grepl("^completed", p$outcome)
one <- aggregate(y ~ person + phase, p, mean)
checked <- character()
compare <- function(name, group, value, error, df) {
  row <- rows[rows$name == name & rows$group == group, ]
  if (nrow(row) == 0) return(invisible())
  expected <- c(value, error, value - qt(0.975, df) * error, value + qt(0.975, df) * error)
  found <- as.numeric(row[c("estimate", "se", "low", "high")])
  cat(name, group, expected, "-", found, "\n")
  stopifnot(nrow(row) == 1, abs(expected - found) < 0.0051, abs(df - as.numeric(row$df)) < 0.051)
  checked <<- c(checked, name)
}
test <- function(found, factor = 1) {
  means <- unname(found$estimate)
  value <- if (length(means) == 2) means[1] - means[2] else means
  list(factor * value, factor * found$stderr, unname(found$parameter))
}
clustered <- function(data, formula, df) {
  model <- lm(formula, data)
  variance <- vcovCL(model, cluster = data$person, type = "HC1")
  place <- length(coef(model))
  list(unname(coef(model)[place]), sqrt(variance[place, place]), df)
}
for (phase in c("prompted", "control")) {
  own <- p[p$phase == phase, ]
  do.call(compare, c("share_pooled", phase, clustered(own, y ~ 1, length(unique(own$person)) - 1)))
  do.call(compare, c("share_mean", phase, test(t.test(one$y[one$phase == phase]))))
}
pairs <- merge(one[one$phase == "prompted", ], one[one$phase == "control", ], by = "person", suffixes = c("_a", "_b"))
if (nrow(pairs) > 2) {
  do.call(compare, c("paired_difference", "prompted - control", test(t.test(pairs$y_a - pairs$y_b))))
  bounds <- function(phase, what) tapply(p$due_utc[p$phase == phase], p$person[p$phase == phase], what)[pairs$person]
  ab <- bounds("prompted", max) <= bounds("control", min)
  ba <- bounds("control", max) <= bounds("prompted", min)
  d <- pairs$y_a - pairs$y_b
  s <- pairs$y_a + pairs$y_b
  two <- function(x, y, factor) test(t.test(x, y, var.equal = TRUE), factor)
  do.call(compare, c("treatment_effect", "prompted - control", two(d[ab], -d[ba], 0.5)))
  do.call(compare, c("period_effect", "first - second", two(d[ab], d[ba], 0.5)))
  do.call(compare, c("carry_over", "AB - BA", two(s[ab], s[ba], 1)))
} else {
  people <- if (file.exists(file.path(given[1], "participants.csv"))) read("participants.csv")
  people <- people[people$study_id == "trial-1", ]
  p$group <- if (all(people$arm == "")) p$phase else people$arm[match(p$person, people$person)]
  means <- aggregate(y ~ person + group, p, mean)
  names <- sort(unique(p$group), method = "radix")
  for (name in names[-1]) {
    group <- paste(name, "-", names[1])
    do.call(compare, c("arm_difference", group,
                       test(t.test(means$y[means$group == name], means$y[means$group == names[1]]))))
    own <- p[p$group %in% c(name, names[1]), ]
    own$x <- as.numeric(own$group == name)
    do.call(compare, c("arm_difference_pooled", group, clustered(own, y ~ x, length(unique(own$person)) - 2)))
  }
}
stopifnot(given[-1] %in% checked)
