extension ExportTable {
  /// The names of the estimates in estimates.csv.
  public static let estimateNames = [
    "share_pooled", "share_mean", "share_median", "paired_difference", "paired_difference_median",
    "treatment_effect", "period_effect", "carry_over", "arm_difference", "arm_difference_pooled",
  ]

  /// The table of the estimates. `prompter report` writes this table.
  ///
  /// An export does not contain this table, but the codebook of the export describes its columns.
  public static let estimates = ExportTable(
    name: "estimates",
    title:
      "The estimates of a trial. `prompter report`, `analysis.py --estimates` and `analysis.R "
      + "--estimates` write this file",
    columns: [
      ExportColumn(
        "analysis", .choice(["main", "not_delivered_failed", "not_delivered_missing"]),
        "The counted prompts. `main`: the asked prompts. `not_delivered_failed`: all planned prompts; "
          + "a prompt counts as not completed if the device could not ask. `not_delivered_missing`: the "
          + "asked prompts, without the prompts of a phase `prompted` that were not delivered and "
          + "got no answer"),
      ExportColumn(
        "name", .choice(estimateNames),
        "The estimate. REPORTING.md describes each estimate", example: "paired_difference"),
      ExportColumn(
        "group", .word, "The phase or the arm, or the two groups of a difference",
        example: "prompted - control"),
      ExportColumn(
        "people", .integer, empty: "the row was suppressed", "Number of people", example: "24"),
      ExportColumn(
        "prompts", .integer, empty: "the row was suppressed", "Number of counted prompts",
        example: "2016"),
      ExportColumn(
        "estimate", .number, empty: "the row was suppressed",
        "The estimate: a share in percent, or a difference in percent points, with two decimals",
        example: "12.50"),
      interval("se", "Standard error of the estimate", example: "3.10"),
      interval("low", "Lower end of the 95 % confidence interval", example: "6.09"),
      interval("high", "Upper end of the 95 % confidence interval", example: "18.91"),
      interval("df", "Degrees of freedom of Student's t, with one decimal", example: "23.0"),
      ExportColumn(
        "method", .choice(["t", "median", "cluster_cr1", "welch", "hills_armitage"]),
        "The method of the interval. `median`: no interval. REPORTING.md describes each method",
        example: "t"),
      ExportColumn(
        "is_small", .boolean,
        "True if `people` is from 1 to 4. `--suppress-small` leaves the numbers of these rows empty",
        example: "false"),
    ], primaryKey: ["analysis", "name", "group"])

  private static func interval(
    _ name: String, _ meaning: String, example: String
  ) -> ExportColumn {
    ExportColumn(
      name, .number,
      empty: "the row was suppressed, has too few people, or contains a median", meaning,
      example: example)
  }
}
