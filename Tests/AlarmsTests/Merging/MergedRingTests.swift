import CivilTime
import Testing

@testable import Alarms

/// If several prompts of one person are ready to ring at the same time, one merged ring plays all
/// their voices.
@Suite struct `A merged ring` {
  private let merging = MergingFixture()

  @Test func `says the number of things, and then the words of each prompt`() throws {
    var fixture = try merging.home()
    #expect(try fixture.timeline("----------------------") == "-1-----2-----3--------")
    #expect(
      merging.sounds(fixture)
        == [[String]](repeating: ["Three things:", "Pills", "Flowers", "Drops"], count: 3))
    #expect(merging.events(fixture, "ring_started") == 9)
    for prompt in fixture.home.openPrompts {
      #expect(prompt.ringsIntended == 3 && prompt.ringsSounded == 3)
      #expect(prompt.isDelivered)
    }
  }

  @Test func `each ring of the record names the leading prompt, and a replay gives the same state`()
    throws
  {
    var fixture = try merging.home()
    fixture.pass(seconds: 16)
    let leading = try merging.id(fixture, "Pills")
    for prompt in fixture.home.openPrompts {
      guard case .ringing(let ring, _) = prompt.state else {
        Issue.record("\(prompt)")
        continue
      }
      #expect(ring.leadingPrompt == leading && ring.number == 1)
      #expect(fixture.replay.prompts[prompt.id] == prompt)
    }
    #expect(fixture.home.openPrompts.count == 3)
  }

  @Test func `each answer without an id is for the next thing, and the reply says what is open`()
    throws
  {
    var fixture = try merging.home()
    fixture.pass(seconds: 30)
    var open: [[String]] = []
    var answered: [String] = []
    for _ in 0..<3 {
      let reply = try fixture.handle(.command(.answer(nil, .complete), CoreFixture.patient))
      guard case .answered(let one)? = reply else { return }
      answered.append(fixture.home.alarm(one.prompt.id.alarm)?.label ?? "")
      open.append(fixture.home.stillOpen(after: one.prompt.id).map(\.label))
    }
    #expect(answered == ["Pills", "Flowers", "Drops"])
    #expect(open == [["Flowers", "Drops"], ["Drops"], []])
    #expect(fixture.outcomes == [.completed, .completed, .completed])
    fixture.pass(seconds: 600)
    #expect(fixture.played.count == 1)
  }

  // MARK: An answer while the ring sounds

  @Test(arguments: ["Pills", "Flowers", "Drops"])
  func `an answer stops the ring, and the others ring again after 60 s`(label: String) throws {
    var fixture = try merging.home(rings: 1)
    fixture.ringSeconds = 20
    fixture.pass(seconds: 20)
    try fixture.answer(.complete, to: merging.id(fixture, label))
    #expect(fixture.sounding == nil)
    let others = ["Pills", "Flowers", "Drops"].filter { $0 != label }
    fixture.pass(seconds: 59)
    #expect(fixture.played.count == 1)
    fixture.pass(seconds: 2)
    #expect(merging.sounds(fixture).last == ["Two things:"] + others)
    fixture.pass(seconds: 30)
    #expect(fixture.home.openPrompts.allSatisfy { $0.isDelivered && $0.ringsSounded == 2 })
    for _ in others { try fixture.answer(.complete) }
    #expect(fixture.outcomes == [.completed, .completed, .completed])
  }

  @Test func `three answers in one ring complete all three, and nothing rings again`() throws {
    var fixture = try merging.home()
    fixture.ringSeconds = 20
    fixture.pass(seconds: 20)
    for _ in 0..<3 {
      try fixture.handle(.command(.answer(nil, .complete), CoreFixture.patient))
    }
    #expect(fixture.outcomes == [.completed, .completed, .completed])
    fixture.pass(seconds: 600)
    #expect(fixture.played.count == 1)
  }

  @Test func `"later" in the ring delays one prompt only`() throws {
    var fixture = try merging.home()
    fixture.ringSeconds = 20
    fixture.pass(seconds: 20)
    try fixture.answer(.delay(seconds: 300), to: merging.id(fixture, "Pills"))
    fixture.pass(seconds: 61)
    #expect(merging.sounds(fixture).last == ["Two things:", "Flowers", "Drops"])
  }

  @Test func `an undo in the ring lets the prompt ring again, and the others too`() throws {
    var fixture = try merging.home()
    fixture.ringSeconds = 20
    fixture.pass(seconds: 20)
    try fixture.answer(.complete, to: merging.id(fixture, "Pills"))
    try fixture.handle(.command(.undo(nil), CoreFixture.patient))
    fixture.pass(seconds: 300)
    for label in ["Pills", "Flowers", "Drops"] {
      #expect(merging.sounds(fixture).dropFirst().contains { $0.contains(label) }, "\(label)")
    }
  }

  // MARK: Which prompts ring together

  @Test func `at most four prompts ring together, and the fifth rings next without a chime`() throws
  {
    var fixture = try merging.home(["A", "B", "C", "D", "E"], rings: 1)
    fixture.pass(seconds: 60)
    #expect(merging.sounds(fixture) == [["Four things:", "A", "B", "C", "D"], ["E"]])
    #expect(fixture.played.map(\.hasAlert) == [true, false])
  }

  @Test func `voices that do not fit into one ring ring one after another`() throws {
    // One ring can speak about 240 characters. This is enough for two of these labels, but not for
    // three.
    let labels = ["A", "B", "C"].map { $0 + String(repeating: " word", count: 20) }
    var fixture = try merging.home(labels, rings: 1)
    fixture.pass(seconds: 60)
    #expect(fixture.played.map(\.others.count) == [1, 0])
    #expect(fixture.outcomes.isEmpty && fixture.home.openPrompts.allSatisfy(\.isDelivered))
  }

  @Test func `a long recording rings alone`() throws {
    var fixture = CoreFixture()
    for (name, seconds) in [("short", 5), ("long", 29)] {
      try fixture.handle(
        .command(
          .addTone(
            Tone(
              name: name, sha256: String(repeating: name == "long" ? "a" : "b", count: 64),
              durationMilliseconds: seconds * 1_000, loudnessLUFS: -23), replacing: false),
          CoreFixture.anna))
    }
    for (label, tone) in [("Pills", "long"), ("Flowers", "short"), ("Drops", "short")] {
      try merging.add([label], rings: 1, to: &fixture) { $0.tone = tone }
    }
    fixture.pass(seconds: 60)
    #expect(fixture.played.map(\.others.count) == [0, 1])
    #expect(fixture.played[1].tones.count == 1 && fixture.played[1].others[0].tones.count == 1)
  }

  @Test(arguments: [(11_300, 1), (11_301, 0)])
  func `two recordings ring together if the recordings and pauses last at most 24 s`(
    _ milliseconds: Int, _ others: Int
  ) throws {
    var fixture = CoreFixture()
    for (name, milliseconds) in [("first", 11_300), ("second", milliseconds)] {
      let tone = Tone(
        name: name, sha256: String(repeating: name == "first" ? "a" : "b", count: 64),
        durationMilliseconds: milliseconds, loudnessLUFS: -23)
      try fixture.handle(.command(.addTone(tone, replacing: false), CoreFixture.anna))
      try merging.add([name], rings: 1, to: &fixture) { $0.tone = name }
    }
    fixture.pass(seconds: 16)
    #expect(fixture.played.map(\.others.count) == [others])
  }

  @Test func `prompts of two people ring apart`() throws {
    var fixture = CoreFixture()
    try fixture.handle(.command(.addPerson(PersonID("bob"), PersonForm()), CoreFixture.anna))
    try merging.add(["Pills", "Flowers"], rings: 1, to: &fixture)
    try merging.add(["His pills"], rings: 1, to: &fixture) { $0.person = "bob" }
    fixture.pass(seconds: 60)
    #expect(Set(merging.sounds(fixture)) == [["Two things:", "Pills", "Flowers"], ["His pills"]])
  }

  @Test(arguments: ["urgent", "question", "early reminder", "announcement"])
  func `some prompts ring alone`(kind: String) throws {
    var fixture = CoreFixture()
    try merging.add(["Pills", "Flowers"], rings: 1, to: &fixture)
    switch kind {
    case "urgent":
      try merging.add(["Special"], rings: 1, to: &fixture) {
        ($0.rings, $0.spacingSeconds) = (nil, nil)
        $0.steps = [StepForm(rings: 1, isUrgent: true)]
      }
    case "question":
      try merging.add(["Special"], rings: 1, to: &fixture) {
        var mood = QuestionForm()
        (mood.name, mood.text, mood.kind) = ("mood", "How are you?", "mood")
        $0.questions = [mood]
      }
    case "early reminder":
      let event = fixture.now.wall.adding(seconds: 3_615)
      let local = CoreFixture.berlin.civil(at: event).dateTime
      try merging.add(["Special"], rings: 1, to: &fixture) {
        $0.schedule = "on \(local.date) at \(local.time)"
        $0.earlyReminders = ["1 hour before"]
      }
    default:
      try fixture.say {
        $0.label = "Special"
        $0.schedule = "in 15 seconds"
        $0.person = PersonID.patient.text
      }
    }
    fixture.pass(seconds: 60)
    #expect(fixture.played.count == 2, "\(merging.sounds(fixture))")
    let merged = try #require(fixture.played.first { !$0.others.isEmpty })
    #expect(merged.lead?.text == "Two things:" && merged.words?.text == "Pills")
  }

  @Test func `a first ring and a repetition ring apart`() throws {
    var fixture = CoreFixture()
    try merging.add(["Pills"], to: &fixture)
    try merging.add(["Flowers"], to: &fixture) { $0.schedule = "in 75 seconds" }
    fixture.pass(seconds: 100)
    #expect(merging.sounds(fixture) == [["Pills"], ["Pills"], ["Flowers"]])
  }

  @Test func `prompts that waited for the speaker ring together`() throws {
    var fixture = CoreFixture()
    fixture.ringSeconds = 20
    try merging.add(["Pills"], rings: 1, to: &fixture)
    try merging.add(["Flowers"], rings: 1, to: &fixture) { $0.schedule = "in 20 seconds" }
    try merging.add(["Drops"], rings: 1, to: &fixture) { $0.schedule = "in 25 seconds" }
    fixture.pass(seconds: 60)
    #expect(merging.sounds(fixture) == [["Pills"], ["Two things:", "Flowers", "Drops"]])
  }

  @Test func `the configuration can switch merged rings off`() throws {
    var fixture = try merging.home(rings: 1)
    fixture.environment.mergesRings = false
    fixture.pass(seconds: 60)
    #expect(merging.sounds(fixture) == [["Pills"], ["Flowers"], ["Drops"]])
    #expect(
      !fixture.records.contains {
        if case .ringIntent(_, let ring, _) = $0.event { ring.isMerged } else { false }
      })
  }

  @Test func `the ring is as loud as its loudest prompt`() throws {
    var fixture = CoreFixture()
    try merging.add(["Pills"], to: &fixture) { $0.gainsDecibels = [-20] }
    try merging.add(["Flowers"], to: &fixture) { $0.gainsDecibels = [-3] }
    fixture.pass(seconds: 20)
    #expect(fixture.played.map(\.gainDecibels) == [-3])
    for prompt in fixture.home.openPrompts {
      guard case .ringing(let ring, _) = prompt.state else { continue }
      #expect(ring.gainDecibels == -3)
    }
  }

  @Test(arguments: [("de", "Drei Dinge:"), ("vi", "Ba việc:"), ("fr", "Three things:")])
  func `the first words are in the language of the person`(tag: String, words: String) throws {
    var fixture = CoreFixture()
    try fixture.person { $0.language = tag }
    try merging.add(["Pills", "Flowers", "Drops"], rings: 1, to: &fixture)
    #expect(fixture.rehearsed.contains { $0.text == words })
    #expect(
      fixture.home.wantedWords(at: fixture.now, in: fixture.environment)
        .contains { $0.text == words })
    fixture.pass(seconds: 20)
    #expect(fixture.played.map { $0.lead?.text } == [words])
  }

  // MARK: Silence

  @Test func `a prompt in quiet hours is not in the ring`() throws {
    var fixture = CoreFixture()
    try fixture.person {
      $0.quietHours = "00:00-23:59"
      $0.quietPolicy = .hold
    }
    try merging.add(["Pills", "Drops"], to: &fixture) { $0.quietHours = "ring" }
    try merging.add(["Flowers"], to: &fixture)
    fixture.pass(seconds: 30)
    #expect(merging.sounds(fixture) == [["Two things:", "Pills", "Drops"]])
    #expect(merging.events(fixture, "held") == 1)
  }

  @Test func `in a control phase nothing sounds`() throws {
    var fixture = try merging.home()
    try fixture.handle(
      .command(
        .setPhase(.patient, PhaseForm(kind: .control)),
        Actor(role: .researcher, id: "uid:1003", source: "socket")))
    fixture.pass(seconds: 30)
    #expect(fixture.played.isEmpty && merging.events(fixture, "held") == 3)
  }

  @Test func `each prompt of the ring counts for the hourly limit, and no first ring is silenced`()
    throws
  {
    var fixture = CoreFixture()
    try fixture.person { $0.ringsPerHour = 4 }
    try merging.add(["Pills", "Flowers", "Drops"], to: &fixture)
    fixture.pass(seconds: 600)
    // The first rings of all three prompts sound. After them, at most four repetitions sound,
    // because the hourly limit is four.
    let intents = fixture.records.compactMap {
      if case .ringIntent(_, let ring, _) = $0.event { ring.isRepetition } else { nil }
    }
    #expect(intents.count { !$0 } == 3)
    #expect(intents.count { $0 } <= 4)
    #expect(fixture.played.first?.others.count == 2)
  }

  @Test func `no more repetitions ring together than the hourly limit allows`() throws {
    var fixture = CoreFixture()
    try fixture.person { $0.ringsPerHour = 4 }
    try merging.add(["Walk"], rings: 2, to: &fixture)
    fixture.pass(seconds: 100)
    try fixture.answer(.complete)
    try merging.add(["A", "B", "C", "D"], rings: 2, to: &fixture)
    fixture.pass(seconds: 100)
    #expect(fixture.played.map { $0.others.count + 1 } == [1, 1, 4, 3])
  }
}
