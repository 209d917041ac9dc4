import StudyExport

/// The part of the report page that shows the estimates.
struct EstimatesTable {
  let estimates: Estimates
  /// True if the page must hide the rows about 1 to 4 people.
  let suppressesSmall: Bool

  private static let titles: [(name: String, title: String)] = [
    ("share_pooled", "Completed, all prompts together"),
    ("share_mean", "Completed, mean of people"), ("share_median", "Completed, median of people"),
    ("paired_difference", "Difference within people, mean"),
    ("paired_difference_median", "Difference within people, median"),
    ("treatment_effect", "Treatment effect without the period effect"),
    ("period_effect", "Period effect"), ("carry_over", "Carry-over"),
    ("arm_difference", "Difference of arms, mean of people"),
    ("arm_difference_pooled", "Difference of arms, all prompts together"),
  ]

  private static let analyses: [(AnalysisSet, String)] = [
    (.main, "Main analysis: asked prompts"),
    (.notDeliveredFailed, "Sensitivity: a prompt that was not delivered counts as not completed"),
    (.notDeliveredMissing, "Sensitivity: prompts that were not delivered are missing"),
  ]

  var html: String {
    guard !estimates.rows.isEmpty else {
      return
        "<p>There are no estimates: no enrolled person has a prompt that was due in a phase.</p>"
    }
    var text = "<div class=\"wide\"><table id=\"estimates\">"
    text += "<tr><th>estimate<th>group<th>people<th>prompts<th>estimate<th>95 % interval<th>df</tr>"
    for (analysis, title) in Self.analyses {
      text += "<tr><th colspan=\"7\">\(title)</tr>"
      for row in estimates.rows where row.analysis == analysis.rawValue {
        let name = Self.titles.first { $0.name == row.name }?.title ?? row.name
        text += "<tr><td>\(name)<td>\(HTMLText.escaped(row.group))"
        if suppressesSmall, row.isSmall {
          text += "<td>\(Summary.hidden)<td><td><td><td></tr>"
          continue
        }
        let numbers = row.numbers
        text += "<td>\(row.people)<td>\(row.prompts)<td>\(numbers[0])"
        text += "<td>\(numbers[2].isEmpty ? "" : "\(numbers[2]) to \(numbers[3])")<td>\(numbers[4])"
        text += "</tr>"
      }
    }
    return text + "</table></div>" + Self.method
  }

  private static let method = """
    <p>Shares are in percent, and differences are in percent points. estimates.csv contains the same numbers, with
    the standard error and the method of each interval.</p>
    <ul>
    <li><b>People</b>: enrolled people with a counted prompt. A prompt counts for the phase at its due time. After a
    withdrawal, no prompt counts. A prompt outside of the phases prompted and control belongs to a run-in, a
    wash-out or a follow-up, and does not count.</li>
    <li><b>All prompts together</b>: the pooled share. People are the clusters of the interval (CR1).</li>
    <li><b>Difference within people</b>: completed share of a person in the prompted phases, minus the completed share
    in the control phases; with the interval of a paired t test.</li>
    <li><b>Treatment effect, period effect, carry-over</b>: the t tests of Hills and Armitage (1979), for people with
    two periods. AB is prompted first. The sign of a period effect is first period minus second period. Do not
    choose the main analysis by the carry-over: the test has little power.</li>
    <li><b>Difference of arms</b>: people with one phase only. The interval of the mean of people is the interval of
    Welch. People are the clusters of the interval of all prompts together (CR1).</li>
    </ul>
    """
}
