import Alarms
import Testing

@testable import API

@Test(arguments: [
  (
    "3 rings every 1m, louder, tone dad, urgent",
    "3 rings every 1m, at -12 -9 -6 dB, tone dad, urgent"
  ),
  ("urgent,2 rings", "2 rings every 1m, at -12 -9 -6 -3 0 dB, urgent"),
  ("1 ring, loud", "1 ring every 1m, at 0 dB"),
  ("at -6 -3.5 dB, every 90s", "5 rings every 1m30s, at -6 -3.5 dB"),
])
func `a burst in words is read and printed again`(text: String, words: String) throws {
  let form = try StepForm(words: text, field: "steps")
  let gains: [Double] =
    switch form.loudness {
    case .asBefore: Burst.standard.gainsDecibels
    case .louder: [-12, -9, -6]
    case .decibels(let gains): gains
    }
  let step = EscalationStep(
    burst: Burst(
      rings: form.rings ?? 5, spacingSeconds: form.spacingSeconds ?? 60, gainsDecibels: gains),
    tone: form.tone, isUrgent: form.isUrgent)
  #expect(step.words(isFirst: true) == words)
  #expect(try StepForm(words: words, field: "steps").loudness == .decibels(gains))
}

@Test(arguments: [
  "three rings", "3 rings every soon", "3 rings, 2 rings", "", "3 rings,", "tone", "at dB",
  "at x dB",
  "louder, loud", "3 rings twice", "after", "every 1m every 2m",
])
func `a burst in wrong words is refused, and the refusal names the field`(text: String) {
  let refusal = #expect(throws: Refusal.self) { try StepForm(words: text, field: "steps") }
  #expect(refusal?.field == "steps")
}

@Test func `contacts in words are read and printed again`() throws {
  let notifySteps = try NotifyStep.list(
    words: "anna after 10m, then bob after 1h30m", field: "tell")
  #expect(
    notifySteps == [
      NotifyStep(contact: "anna", afterSeconds: 600),
      NotifyStep(contact: "bob", afterSeconds: 5_400),
    ])
  #expect(NotifyStep.words(notifySteps) == "anna after 10m, then bob after 1h30m")
  #expect(try NotifyStep.list(words: "none", field: "tell").isEmpty)
  for text in ["anna", "anna in 10m", "anna after soon", "", "anna after 10m,"] {
    let refusal = #expect(throws: Refusal.self) { try NotifyStep.list(words: text, field: "tell") }
    #expect(refusal?.field == "tell")
  }
}

@Test func `a chain is accepted as objects and as words`() throws {
  let form = try AlarmForm(
    body: Array(
      #"""
      {"steps": ["2 rings", {"rings": 3, "spacing": "2m", "gains": [-3], "urgent": true,
      "after": "5m", "tone": "dad"}], "tell": [{"contact": "anna", "after": "10m"}],
      "complete_by": "20m", "complete_step": "none"}
      """#.utf8))
  #expect(
    form.steps == [
      StepForm(rings: 2),
      StepForm(
        rings: 3, spacingSeconds: 120, loudness: .decibels([-3]), tone: "dad", isUrgent: true,
        pauseSeconds: 300),
    ])
  #expect(form.notifySteps == [NotifyStep(contact: "anna", afterSeconds: 600)])
  #expect(form.completeBySeconds == 1_200)
  #expect(form.completion == [])
  for body in [
    #"{"steps": [{"ring": 3}]}"#, #"{"steps": 3}"#, #"{"tell": 3}"#,
    #"{"tell": [{"after": "1m"}]}"#,
    #"{"steps": [{"urgent": 1}]}"#,
  ] {
    #expect(throws: Refusal.self) { try AlarmForm(body: Array(body.utf8)) }
  }
}
