/// The analysis scripts that an export contains.
///
/// The scripts compute summary.csv from prompts.csv and phases.csv, and estimates.csv from
/// prompts.csv and participants.csv. The scripts write the same files as `prompter report`.
public enum AnalysisScripts {
  /// All scripts, with their file names.
  public static let all: [(name: String, text: String)] = [
    ("analysis.py", pythonSummary + pythonEstimates), ("analysis.R", rSummary + rEstimates),
  ]
}
