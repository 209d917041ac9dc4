/// The rule for the personal data that an export contains.
public enum ExportProfile: String, Sendable, CaseIterable {
  /// This profile shows all recorded data, including typed words and names.
  case identified = "identified"
  /// This profile shows pseudonyms and real dates, but no typed words.
  case limited = "limited"
  /// This profile shows study days and local times of day instead of dates.
  ///
  /// This profile shows no typed words, zones, users or hashes. The export replaces each identifier
  /// by a code. Nobody can find the identifier from the code without a secret, and exports do not
  /// contain this secret.
  case safeHarbor = "safe_harbor"
}
