/// The analysis scripts that an export contains.
///
/// The scripts compute summary.csv and estimates.csv from prompts.csv, phases.csv and
/// participants.csv. `prompter report` writes files with the same numbers.
public enum AnalysisScripts {
  /// All scripts, with their file names.
  public static let all: [(name: String, text: String)] = [
    ("analysis.py", pythonSummary + pythonEstimates), ("analysis.R", rSummary + rEstimates),
  ]
}
