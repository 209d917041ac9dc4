import Sentences

/// The words with which a screen or a button tells a patient that an answer was refused.
///
/// The sentence depends only on the kind and the field of the refusal. The `detail` of a refusal is
/// an English text for a caretaker.
public enum RefusedAnswer {
  /// Returns the sentence that tells a patient about a refusal of the daemon.
  ///
  /// - Parameters:
  ///   - kind: the `kind` of the reply; nil if the reply contains no kind. A newer daemon can send
  ///     a kind that this program does not know.
  ///   - field: the `field` of the reply.
  public static func sentence(kind: String?, field: String?) -> Sentence {
    if field == "photo" { return .photoFailed }
    guard let kind = kind.flatMap(Refusal.Kind.init(rawValue:)) else { return .refusedAnswer }
    switch kind {
    case .promptOver: return .refusedOver
    case .tooLate: return .refusedTooLate
    case .nothingToUndo: return .refusedNothingToUndo
    case .alreadyCorrected: return .refusedUndone
    case .superseded: return .refusedChanged
    case .notFound: return .refusedGone
    case .delayLimit: return .refusedLater
    case .acknowledgeLimit: return .refusedOnMyWay
    case .notDue: return .refusedNotDue
    case .questionsOpen: return .refusedQuestions
    case .speakerBusy: return .sayAgainFailed
    case .badImage: return .photoFailed
    // The daemon is busy or its disk is full, so the same answer can succeed later.
    case .storage, .unrecorded, .limit: return .answerFailed
    case .conflict, .invalidField, .unknownField, .malformed, .duplicate, .versionConflict,
      .forbidden, .methodNotAllowed, .tooLarge, .expectationFailed, .badTone, .inUse, .keyReused,
      .endsPrompt:
      return .refusedAnswer
    }
  }
}
