import Sentences
import Testing

@testable import Alarms

@Suite struct `The words for a refused answer` {
  @Test func `depend on the kind and the field, and never on the text of the refusal`() {
    let cases: [(kind: String?, field: String?, sentence: Sentence)] = [
      ("prompt_over", nil, .refusedOver), ("too_late", nil, .refusedTooLate),
      ("nothing_to_undo", nil, .refusedNothingToUndo), ("already_corrected", nil, .refusedUndone),
      ("superseded", nil, .refusedChanged), ("not_found", nil, .refusedGone),
      ("delay_limit", nil, .refusedLater), ("acknowledge_limit", nil, .refusedOnMyWay),
      ("not_due", nil, .refusedNotDue), ("questions_open", "responses", .refusedQuestions),
      ("speaker_busy", nil, .sayAgainFailed), ("storage_failed", nil, .answerFailed),
      ("conflict", nil, .refusedAnswer), ("conflict", "photo", .photoFailed),
      ("a_kind_of_a_newer_daemon", nil, .refusedAnswer), (nil, nil, .refusedAnswer),
    ]
    for (kind, field, sentence) in cases {
      #expect(RefusedAnswer.sentence(kind: kind, field: field) == sentence, "\(kind ?? "none")")
    }
  }

  @Test(arguments: Language.allCases)
  func `are one short sentence in each language`(language: Language) {
    for kind in Refusal.Kind.allCases {
      let words = RefusedAnswer.sentence(kind: kind.rawValue, field: nil).text(in: language)
      #expect(words.count <= 50 && words.hasSuffix("."), "\(kind): \(words)")
    }
  }
}
