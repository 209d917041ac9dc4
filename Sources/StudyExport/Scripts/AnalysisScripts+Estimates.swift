extension AnalysisScripts {
  /// The part of analysis.py that computes estimates.csv.
  static let pythonEstimates = #"""
    # Estimates: only enrolled people, and only prompts that were due in a phase "prompted" or "control".
    arms = {}
    if (directory / "participants.csv").exists():
        people = pd.read_csv(directory / "participants.csv", dtype=str, keep_default_na=False)
        for study, person, arm in zip(people["study_id"], people["person"], people["arm"]):
            if chosen in [study, "--everybody"]:
                arms[person] = arm
    PHASES = ["prompted", "control"]
    CONDITIONS = "prompted - control"
    p["order"] = p["due_utc"] if "due_utc" in p else p["due_day"].str.zfill(9) + " " + p["due_time"]
    enrolled = p["study_id"] != "" if "study_id" in p else pd.Series(False, index=p.index)
    p = p[enrolled & (p["person"] != "unknown") & p["phase"].isin(PHASES)]
    reached = (p["phase"] == "control") | p["is_delivered"] | p["answered"] | p["completed"]
    ANALYSES = {"main": p["asked"], "not_delivered_failed": p["planned"], "not_delivered_missing": p["asked"] & reached}

    rows = ["analysis,name,group,people,prompts,estimate,se,low,high,df,method,is_small"]


    def beta(x, a, b):
        """The regularized incomplete beta function (Abramowitz and Stegun 1964, 26.5.8)."""
        if x <= 0 or x >= 1:
            return min(max(x, 0.0), 1.0)
        if x > (a + 1) / (a + b + 2):
            return 1 - beta(1 - x, b, a)
        front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a

        def kept(value):
            return value if abs(value) > 1e-300 else 1e-300

        c, d = 1.0, 1 / kept(1 - (a + b) * x / (a + 1))
        result = d
        for m in range(1, 5001):
            for part in [m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                         -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))]:
                d = 1 / kept(1 + part * d)
                c = kept(1 + part / c)
                result *= d * c
            if abs(d * c - 1) < 1e-15:
                break
        return front * result


    def t_factor(df):
        """The 97.5 % quantile of Student's t, by bisection."""
        low, high = 0.0, 13.0
        for _ in range(100):
            middle = (low + high) / 2
            if beta(df / (df + middle * middle), df / 2, 0.5) > 0.05:
                low = middle
            else:
                high = middle
        return (low + high) / 2


    def text(value, decimals):
        """Rounds half away from zero; 1e-6 of the last decimal makes the rounding the same in all programs."""
        unit = 10 ** decimals
        units = math.floor(abs(value) * unit + 0.5 + 1e-6)
        sign = "-" if value < 0 and units > 0 else ""
        return f"{sign}{units // unit}.{units % unit:0{decimals}}"


    def quoted(cell):
        return '"' + cell.replace('"', '""') + '"' if set(cell) & set('\n\r",;') else cell


    def estimate_row(name, group, people, prompts, found, method):
        value, error, df = found
        numbers = [text(value, 2), "", "", "", ""]
        if error is not None and df >= 1:
            half = t_factor(df) * error
            numbers = [text(value, 2), text(error, 2), text(value - half, 2), text(value + half, 2), text(df, 1)]
        cells = [str(people), str(prompts)] + numbers
        small = 0 < people < 5
        if small and suppresses:
            cells = [""] * len(cells)
        rows.append(",".join([analysis, name, quoted(group)] + cells + [method, "true" if small else "false"]))


    def percent(one):
        return 100 * one[1] / one[0]


    def mean(values):
        return sum(values) / len(values)


    def squares(values):
        return sum((value - mean(values)) ** 2 for value in values)


    # Each estimator returns the estimate, its standard error, and the degrees of freedom. A person is a pair: the
    # number of counted prompts, and the number of completed prompts.
    def t_one(values):
        n = len(values)
        return (mean(values), math.sqrt(squares(values) / (n - 1) / n), n - 1) if n > 1 else (mean(values), None, None)


    def cluster(people):
        counted = sum(one[0] for one in people)
        share = sum(one[1] for one in people) / counted
        return share, sum((one[1] - share * one[0]) ** 2 for one in people) / counted ** 2


    def pooled(people):
        (share, spread), g = cluster(people), len(people)
        return (100 * share, 100 * math.sqrt(g / (g - 1) * spread), g - 1) if g > 1 else (100 * share, None, None)


    def pooled_difference(people, others):
        (share, spread), (other, other_spread) = cluster(people), cluster(others)
        g, n = len(people) + len(others), sum(one[0] for one in people + others)
        if g < 3 or n < 3:
            return 100 * (share - other), None, None
        factor = g / (g - 1) * (n - 1) / (n - 2)
        return 100 * (share - other), 100 * math.sqrt(factor * (spread + other_spread)), g - 2


    def welch(values, others):
        n, m = len(values), len(others)
        if n < 2 or m < 2:
            return mean(values) - mean(others), None, None
        first, second = squares(values) / (n - 1) / n, squares(others) / (m - 1) / m
        total = first + second
        df = total ** 2 / (first ** 2 / (n - 1) + second ** 2 / (m - 1)) if total > 0 else n + m - 2
        return mean(values) - mean(others), math.sqrt(total), df


    def two_samples(values, others, factor):
        n, m = len(values), len(others)
        value = factor * (mean(values) - mean(others))
        if n + m < 3:
            return value, None, None
        variance = (squares(values) + squares(others)) / (n + m - 2)
        return value, factor * math.sqrt(variance * (1 / n + 1 / m)), n + m - 2


    def shares(people, group):
        values, prompts = [percent(one) for one in people], sum(one[0] for one in people)
        if people:
            estimate_row("share_pooled", group, len(people), prompts, pooled(people), "cluster_cr1")
            estimate_row("share_mean", group, len(people), prompts, t_one(values), "t")
            estimate_row("share_median", group, len(people), prompts, (statistics.median(values), None, None), "median")


    for analysis, counts in ANALYSES.items():
        # For each person and phase: the counted and the completed prompts, and the first and the last due time.
        people = {}
        for (person, phase), own in p[counts].groupby(["person", "phase"]):
            people.setdefault(person, {})[phase] = (len(own), int(own["completed"].sum()), own["order"].min(), own["order"].max())
        people = {person: people[person] for person in sorted(people)}
        for phase in PHASES:
            shares([one[phase] for one in people.values() if phase in one], phase)

        both = [one for one in people.values() if len(one) == 2]
        if both:
            differences = [percent(one["prompted"]) - percent(one["control"]) for one in both]
            prompts = sum(one[phase][0] for one in both for phase in PHASES)
            estimate_row("paired_difference", CONDITIONS, len(both), prompts, t_one(differences), "t")
            estimate_row("paired_difference_median", CONDITIONS, len(both), prompts,
                         (statistics.median(differences), None, None), "median")

        # Hills and Armitage (Br J Clin Pharmacol 1979;8:7-20): people with exactly two periods.
        ab = [(percent(one["prompted"]), percent(one["control"])) for one in both
              if one["prompted"][3] <= one["control"][2]]
        later = [one for one in both if one["prompted"][3] > one["control"][2]]
        ba = [(percent(one["control"]), percent(one["prompted"])) for one in later if one["control"][3] <= one["prompted"][2]]
        if ab and ba:
            prompts = sum(one[phase][0] for one in both for phase in PHASES
                          if one["prompted"][3] <= one["control"][2] or one["control"][3] <= one["prompted"][2])
            first, second = [one - two for one, two in ab], [one - two for one, two in ba]
            count = len(ab) + len(ba)
            estimate_row("treatment_effect", CONDITIONS, count, prompts, two_samples(first, second, 0.5), "hills_armitage")
            estimate_row("period_effect", "first - second", count, prompts,
                         two_samples(first, [-one for one in second], 0.5), "hills_armitage")
            estimate_row("carry_over", "AB - BA", count, prompts,
                         two_samples([sum(one) for one in ab], [sum(one) for one in ba], 1), "hills_armitage")

        # People with one phase, whose arm is not an order of phases such as AB.
        alone = [(arms.get(person, ""), *one.items()) for person, one in people.items() if len(one) == 1]
        alone = [one for one in alone if not (len(one[0]) > 1 and set(one[0]) <= set("AB"))]
        has_arms = len({one[0] for one in alone} - {""}) > 1
        groups = {}
        for arm, (phase, count) in alone:
            if arm or not has_arms:
                groups.setdefault(arm if has_arms else phase, []).append(count)
        names = sorted(groups, key=lambda name: name.encode())
        if len(names) > 1:
            for name in names if has_arms else []:
                shares(groups[name], "arm " + name)
            base = groups[names[0]]
            for name in names[1:]:
                group, count = f"{name} - {names[0]}", len(groups[name]) + len(base)
                prompts = sum(one[0] for one in groups[name] + base)
                estimate_row("arm_difference", group, count, prompts,
                             welch([percent(one) for one in groups[name]], [percent(one) for one in base]), "welch")
                estimate_row("arm_difference_pooled", group, count, prompts, pooled_difference(groups[name], base), "cluster_cr1")

    print("\n".join(rows))

    """#

  /// The part of analysis.R that computes estimates.csv.
  static let rEstimates = #"""
    # Estimates: only enrolled people, and only prompts that were due in a phase "prompted" or "control".
    arms <- character()
    if (file.exists(file.path(directory, "participants.csv"))) {
      enrolments <- read.csv(file.path(directory, "participants.csv"), colClasses = "character",
                             na.strings = character(), check.names = FALSE, encoding = "UTF-8")
      if (chosen != "--everybody") enrolments <- enrolments[enrolments$study_id == chosen, ]
      for (i in seq_len(nrow(enrolments))) arms[enrolments$person[i]] <- enrolments$arm[i]
    }
    conditions <- "prompted - control"
    p$order <- if ("due_utc" %in% names(p)) p$due_utc else sprintf("%09d %s", as.integer(p$due_day), p$due_time)
    enrolled <- if ("study_id" %in% names(p)) p$study_id != "" else rep(FALSE, nrow(p))
    p <- p[enrolled & p$person != "unknown" & p$phase %in% c("prompted", "control"), ]
    reached <- p$phase == "control" | p$is_delivered | p$answered | p$completed
    analyses <- list(main = p$asked, not_delivered_failed = p$planned, not_delivered_missing = p$asked & reached)

    rows <- "analysis,name,group,people,prompts,estimate,se,low,high,df,method,is_small"

    # Rounds half away from zero; 1e-6 of the last decimal makes the rounding the same in all programs.
    text <- function(value, decimals) {
      unit <- 10^decimals
      units <- floor(abs(value) * unit + 0.5 + 1e-6)
      sign <- if (value < 0 && units > 0) "-" else ""
      sprintf("%s%.0f.%0*.0f", sign, floor(units / unit), decimals, units %% unit)
    }
    quoted <- function(cell) {
      if (grepl("[\n\r\",;]", cell)) paste0("\"", gsub("\"", "\"\"", cell), "\"") else cell
    }
    estimate_row <- function(name, group, people, prompts, found, method) {
      numbers <- c(text(found[1], 2), "", "", "", "")
      if (length(found) == 3 && found[3] >= 1) {
        half <- qt(0.975, found[3]) * found[2]
        numbers <- c(text(found[1], 2), text(found[2], 2), text(found[1] - half, 2), text(found[1] + half, 2),
                     text(found[3], 1))
      }
      cells <- c(sprintf("%.0f", c(people, prompts)), numbers)
      small <- people > 0 && people < 5
      if (small && suppresses) cells <- rep("", length(cells))
      cells <- c(analysis, name, quoted(group), cells, method, if (small) "true" else "false")
      rows <<- c(rows, paste(cells, collapse = ","))
    }

    # Each estimator returns the estimate, its standard error, and the degrees of freedom. The data frame of people
    # has the columns counted and completed.
    percent <- function(people) 100 * people$completed / people$counted
    squares <- function(values) sum((values - mean(values))^2)
    t_one <- function(values) {
      n <- length(values)
      if (n > 1) c(mean(values), sqrt(squares(values) / (n - 1) / n), n - 1) else mean(values)
    }
    cluster <- function(people) {
      counted <- sum(people$counted)
      share <- sum(people$completed) / counted
      c(share, sum((people$completed - share * people$counted)^2) / counted^2)
    }
    pooled <- function(people) {
      g <- nrow(people)
      found <- cluster(people)
      if (g > 1) c(100 * found[1], 100 * sqrt(g / (g - 1) * found[2]), g - 1) else 100 * found[1]
    }
    pooled_difference <- function(people, others) {
      one <- cluster(people)
      two <- cluster(others)
      g <- nrow(people) + nrow(others)
      n <- sum(people$counted) + sum(others$counted)
      if (g < 3 || n < 3) return(100 * (one[1] - two[1]))
      factor <- g / (g - 1) * (n - 1) / (n - 2)
      c(100 * (one[1] - two[1]), 100 * sqrt(factor * (one[2] + two[2])), g - 2)
    }
    welch <- function(values, others) {
      n <- length(values)
      m <- length(others)
      value <- mean(values) - mean(others)
      if (n < 2 || m < 2) return(value)
      first <- squares(values) / (n - 1) / n
      second <- squares(others) / (m - 1) / m
      total <- first + second
      c(value, sqrt(total), if (total > 0) total^2 / (first^2 / (n - 1) + second^2 / (m - 1)) else n + m - 2)
    }
    two_samples <- function(values, others, factor) {
      n <- length(values)
      m <- length(others)
      value <- factor * (mean(values) - mean(others))
      if (n + m < 3) return(value)
      variance <- (squares(values) + squares(others)) / (n + m - 2)
      c(value, factor * sqrt(variance * (1 / n + 1 / m)), n + m - 2)
    }
    shares <- function(people, group) {
      if (nrow(people) == 0) return()
      estimate_row("share_pooled", group, nrow(people), sum(people$counted), pooled(people), "cluster_cr1")
      estimate_row("share_mean", group, nrow(people), sum(people$counted), t_one(percent(people)), "t")
      estimate_row("share_median", group, nrow(people), sum(people$counted), median(percent(people)), "median")
    }

    for (analysis in names(analyses)) {
      # For each person and phase: the counted and the completed prompts, and the first and the last due time.
      counts <- function(phase) {
        own <- p[analyses[[analysis]] & p$phase == phase, ]
        groups <- split(own, own$person)
        groups <- groups[order(names(groups), method = "radix")]
        data.frame(
          person = names(groups), counted = vapply(groups, nrow, integer(1)),
          completed = vapply(groups, function(one) sum(one$completed), integer(1)),
          first = vapply(groups, function(one) sort(one$order, method = "radix")[1], ""),
          last = vapply(groups, function(one) sort(one$order, method = "radix", decreasing = TRUE)[1], ""))
      }
      prompted <- counts("prompted")
      control <- counts("control")
      shares(prompted, "prompted")
      shares(control, "control")

      both <- intersect(prompted$person, control$person)
      a <- prompted[match(both, prompted$person), ]
      b <- control[match(both, control$person), ]
      if (length(both) > 0) {
        differences <- percent(a) - percent(b)
        prompts <- sum(a$counted) + sum(b$counted)
        estimate_row("paired_difference", conditions, length(both), prompts, t_one(differences), "t")
        estimate_row("paired_difference_median", conditions, length(both), prompts, median(differences), "median")
      }

      # Hills and Armitage (Br J Clin Pharmacol 1979;8:7-20): people with exactly two periods.
      ab <- a$last <= b$first
      ba <- !ab & b$last <= a$first
      if (any(ab) && any(ba)) {
        prompts <- sum(a$counted[ab | ba]) + sum(b$counted[ab | ba])
        first <- (percent(a) - percent(b))[ab]
        second <- (percent(b) - percent(a))[ba]
        sums <- percent(a) + percent(b)
        estimate_row("treatment_effect", conditions, sum(ab | ba), prompts, two_samples(first, second, 0.5),
                     "hills_armitage")
        estimate_row("period_effect", "first - second", sum(ab | ba), prompts, two_samples(first, -second, 0.5),
                     "hills_armitage")
        estimate_row("carry_over", "AB - BA", sum(ab | ba), prompts, two_samples(sums[ab], sums[ba], 1),
                     "hills_armitage")
      }

      # People with one phase, whose arm is not an order of phases such as AB.
      alone <- rbind(cbind(prompted, phase = rep("prompted", nrow(prompted))),
                     cbind(control, phase = rep("control", nrow(control))))
      alone <- alone[!(alone$person %in% both), ]
      alone <- alone[order(alone$person, method = "radix"), ]
      alone$arm <- unname(arms[alone$person])
      alone$arm[is.na(alone$arm)] <- ""
      alone <- alone[!grepl("^[AB][AB]+$", alone$arm), ]
      has_arms <- length(setdiff(alone$arm, "")) > 1
      if (has_arms) alone <- alone[alone$arm != "", ]
      groups <- split(alone, if (has_arms) alone$arm else alone$phase)
      groups <- groups[order(names(groups), method = "radix")]
      if (length(groups) > 1) {
        if (has_arms) for (name in names(groups)) shares(groups[[name]], paste("arm", name))
        base <- groups[[1]]
        for (name in names(groups)[-1]) {
          others <- groups[[name]]
          group <- paste(name, "-", names(groups)[1])
          people <- nrow(others) + nrow(base)
          prompts <- sum(others$counted) + sum(base$counted)
          estimate_row("arm_difference", group, people, prompts, welch(percent(others), percent(base)), "welch")
          estimate_row("arm_difference_pooled", group, people, prompts, pooled_difference(others, base), "cluster_cr1")
        }
      }
    }

    writeLines(rows)

    """#
}
