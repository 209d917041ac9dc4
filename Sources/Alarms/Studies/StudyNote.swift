/// A protocol deviation or an adverse event of a participant.
public struct StudyNote: Hashable, Sendable {
  /// The kind of note. The record contains the raw value as the type of the event.
  public enum Kind: String, Sendable, CaseIterable {
    /// The team or the participant did not follow the protocol of the study.
    case deviation = "deviation"
    /// Something harmful happened to the participant. The cause is not relevant (ICH E6, adverse
    /// event).
    case adverseEvent = "adverse_event"
  }

  public var kind: Kind
  /// The description, with 1 to 2,000 characters; empty if the description was erased.
  public var text: String
  /// True for a serious adverse event (ICH E6): death, danger to life, a stay in a hospital, or
  /// lasting harm.
  public var isSerious: Bool

  public init(kind: Kind, text: String, isSerious: Bool = false) {
    self.kind = kind
    self.text = text
    self.isSerious = isSerious
  }
}
