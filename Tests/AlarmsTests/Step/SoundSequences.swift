import CivilTime

@testable import Alarms

/// Rings, reports of the player, recordings, levels, the clock, the disk and the hourly limit.
enum SoundSequences {
  static var all: [() -> InputSequence] {
    [tones, reports, speaker, rings, hourlyLimit, clock, sleep, screens]
  }

  private static func tone(_ name: String, _ milliseconds: Int = 2_000) -> Tone {
    Tone(name: name, sha256: "\(name)-sha", durationMilliseconds: milliseconds, loudnessLUFS: -16)
  }

  private static func tones() -> InputSequence {
    let limits = HomeLimits(alarms: 100, tones: 8, ringsPerHour: 20, toneBytes: 4 << 20)
    var play = InputSequence("recordings", limits: limits)
    let bob = Actor(role: .caretaker, id: "uid:1003", source: "web")
    for name in ["dad", "mum", "DAD"] {
      play.command("add \(name)", .addTone(tone(name), replacing: false))
    }
    play.command("replace", .addTone(tone("dad", 3_000), replacing: true))
    play.command("replace by another user", .addTone(tone("mum", 2_500), replacing: true), by: bob)
    play.command("the longest", .addTone(tone("long", 21_844), replacing: false), by: bob)
    play.command("longer", .addTone(tone("longer", 20_000), replacing: false), by: bob)
    for name in ["c", "d", "e", "f"] {
      play.command("add \(name)", .addTone(tone(name), replacing: false))
    }
    play.add("a2", "Tea", "in 1 minute") {
      $0.steps = [StepForm(rings: 1, tone: "mum"), StepForm(rings: 1, pauseSeconds: 60)]
      $0.completion = [StepForm(rings: 1, tone: "dad")]
    }
    play.add("a1", "Pills", "every 10 minutes") { ($0.tone, $0.rings) = ("dad", 1) }
    play.person("tone", "patient") { $0.tone = "dad" }
    play.command("remove", .removeTone("dad", replaceWith: nil))
    play.command("remove an unknown tone", .removeTone("daad", replaceWith: nil))
    play.command("replace with itself", .removeTone("Dad", replaceWith: "DAD"))
    play.command("replace with an unknown tone", .removeTone("dad", replaceWith: "mumm"))
    play.pass(61)
    play.command("replace", .removeTone("dad", replaceWith: "mum"))
    play.command("rename to a taken name", .renameTone("mum", to: "C"))
    play.command("rename to itself", .renameTone("mum", to: "mum"))
    play.command("rename the letter case", .renameTone("mum", to: "Mum"))
    play.command("rename", .renameTone("mum", to: "mother"))
    play.pass(10)
    play.command("remove an unused tone", .removeTone("e", replaceWith: nil))
    play.command("rename an unknown tone", .renameTone("e", to: "g"))
    play.end()
    return play
  }

  /// Reports of the player about rings. Some reports are repeated or late.
  private static func reports() -> InputSequence {
    var play = InputSequence("reports of the player")
    play.fixture.isPlayerSilent = true
    play.add("a1", "Pills", "in 1 minute") { ($0.rings, $0.spacingSeconds) = (5, 60) }
    play.add("a2", "Tea", "in 2 minutes") { ($0.rings, $0.spacingSeconds) = (5, 60) }
    play.pass(60)
    let a1 = play.prompt(of: "a1")
    let level = SoundLevel(foundPercent: 40, wasMuted: false, setPercent: 80)
    let muted = SoundLevel(foundPercent: 40, wasMuted: true, setPercent: 80)
    func ended(_ ring: Int, frames: Int = 10, stopped: Bool = false) -> Input {
      .sound(.ended(a1, ring: ring, device: "card0", frames: frames, xruns: 1, stopped: stopped))
    }
    play.give("the test of a busy speaker", .command(.testRing(tone: nil), CoreFixture.anna))
    play.give("ring 2 starts", .sound(.started(a1, ring: 2, device: "card0")))
    play.give("ring 1 starts", .sound(.started(a1, ring: 1, device: "card0", level: level)))
    play.give("again", .sound(.started(a1, ring: 1, device: "card0", level: level)))
    play.give("ring 2 ends", ended(2))
    play.give("ring 1 ends", ended(1))
    play.give("ring 1 ends again", ended(1))
    play.give("ring 1 fails", .sound(.failed(a1, ring: 1, reason: "late")))
    play.pass(44)
    play.pass(16)
    play.give("an end without a start", ended(2))
    play.pass(60)
    play.give("a fallback", .sound(.fallback(a1, from: "card0", to: "card1", reason: "busy")))
    play.pass(45)
    let ring = play.fixture.home.activeRing
    let id = ring?.prompt ?? a1
    play.give("starts", .sound(.started(id, ring: ring?.ring ?? 0, device: "card1", level: muted)))
    play.give(
      "nobody hears it",
      .sound(
        .ended(id, ring: ring?.ring ?? 0, device: "card1", frames: 0, xruns: 0, stopped: false)))
    play.pass(60)
    play.command("complete", .answer(a1, .complete))
    play.give("the ring was stopped", ended(4, stopped: true))
    play.pass(400)
    play.end()
    return play
  }

  private static func speaker() -> InputSequence {
    var play = InputSequence("the state of the speaker")
    let level = SoundLevel(foundPercent: 40, wasMuted: false, setPercent: 80)
    let lower = SoundLevel(foundPercent: 39, wasMuted: false, setPercent: nil)
    let muted = SoundLevel(foundPercent: 39, wasMuted: true, setPercent: nil)
    play.command("test of no device", .testRing(tone: nil, device: "card0"))
    play.command("level of no device", .setLevel(device: "card0", percent: 50))
    func state() {
      let speaker = play.fixture.home.speaker
      let devices = speaker.devices.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      play.command(
        "speaker: \(speaker.isUsable as Any) \(speaker.trouble as Any) \(devices) "
          + "\(speaker.fallbacks)", .testRing(tone: nil))
    }
    play.give(
      "tested",
      .sound(
        .tested([
          DeviceTest(device: "card0", trouble: nil, level: level),
          DeviceTest(device: "card1", trouble: "no card"),
        ])))
    state()
    play.give("lower", .sound(.tested([DeviceTest(device: "card0", trouble: nil, level: lower)])))
    play.give("muted", .sound(.tested([DeviceTest(device: "card0", trouble: nil, level: muted)])))
    play.give("equal", .sound(.tested([DeviceTest(device: "card0", trouble: "t", level: muted)])))
    state()
    for text in ["broken", "still broken"] { play.give(text, .sound(.unusable(reason: text))) }
    state()
    for device in ["card0", "card2"] { play.give("usable", .sound(.usable(device: device))) }
    state()
    for percent in [0, 1, 100, 101] {
      play.command("test at \(percent)", .testRing(tone: nil, device: "card0", percent: percent))
      play.command("level \(percent)", .setLevel(device: "card0", percent: percent))
    }
    play.command("unknown device", .testRing(tone: nil, device: "card9"))
    play.command("unknown tone", .testRing(tone: "dad"))
    play.command("the same level", .setLevel(device: "card0", percent: 100))
    play.command("no level", .setLevel(device: "card0", percent: nil))
    play.command("no level of an unknown device", .setLevel(device: "card9", percent: nil))
    play.command("level", .setLevel(device: "card2", percent: 10))
    play.give("card2 is gone", .sound(.tested([DeviceTest(device: "card0", trouble: nil)])))
    play.command("no level of the device that is gone", .setLevel(device: "card2", percent: nil))
    play.command("add", .addTone(tone("dad"), replacing: false))
    play.command("test of a recording", .testRing(tone: "DAD", percent: 5))
    for number in 1...9 {
      play.give("fallback", .sound(.fallback(nil, from: "a", to: "b", reason: "\(number)")))
    }
    state()
    play.add("a1", "Pills", "in 1 minute")
    play.pass(65)
    state()
    play.end()
    return play
  }

  /// Rings of several prompts: their order, their chimes, and merged rings.
  private static func rings() -> InputSequence {
    var play = InputSequence("several prompts that are due")
    play.fixture.ringSeconds = 9
    for name in ["dad", "mum"] {
      play.command("add \(name)", .addTone(tone(name, 4_000), replacing: false))
    }
    play.person("add", "hilde") { ($0.language, $0.tone) = ("de", "dad") }
    for (id, schedule) in [("a1", "in 1 minute"), ("a2", "in 55 seconds"), ("a3", "in 1 minute")] {
      play.add(id, "Task \(id)", schedule) {
        ($0.rings, $0.spacingSeconds) = (2, 60)
        $0.tone = id == "a3" ? "mum" : nil
        $0.gainsDecibels = id == "a1" ? [-6, -3] : [-9, -1]
        $0.instructions = id == "a1" ? "Two of the white ones" : nil
      }
    }
    play.add("b1", "Urgent", "in 1 minute") {
      $0.steps = [StepForm(rings: 2, spacingSeconds: 60, isUrgent: true)]
    }
    play.add("b2", "Otto", "in 1 minute") { ($0.rings, $0.person) = (1, "hilde") }
    play.add("b3", "Early", "in 61 minutes and 1 hour before") {
      ($0.rings, $0.person) = (1, "hilde")
    }
    play.announce("c1", "Lunch", "in 60 seconds") { $0.rings = 1 }
    play.pass(70)
    play.command("say a busy prompt again", .sayAgain(play.prompt(of: "a1")))
    play.pass(80)
    play.command("later", .answer(play.prompt(of: "a1"), .delay(seconds: 120)))
    play.command("complete", .answer(nil, .complete))
    play.command("complete", .answer(nil, .complete))
    play.pass(300)
    play.end()
    return play
  }

  private static func hourlyLimit() -> InputSequence {
    var play = InputSequence("the hourly limit")
    play.person("limit", "patient") { $0.ringsPerHour = 5 }
    for (id, minutes) in [("a1", 1), ("a2", 2)] {
      play.add(id, "Task \(id)", "in \(minutes) minutes") {
        ($0.rings, $0.spacingSeconds, $0.lateWindowSeconds) = (4, 60, id == "a1" ? 4_000 : 600)
      }
    }
    play.pass(400)
    play.command("later", .answer(play.prompt(of: "a2"), .delay(seconds: 60)))
    play.command("undo", .undo(nil))
    play.restart()
    play.pass(300)
    play.stepClock(-60)
    play.person("raise", "patient") { $0.ringsPerHour = 7 }
    play.pass(300)
    play.command("complete", .answer(play.prompt(of: "a1"), .complete))
    play.pass(3_600)
    play.end()
    return play
  }

  private static func clock() -> InputSequence {
    var play = InputSequence("the clock and the disk")
    play.add("a1", "Pills", "in 10 minutes")
    for milliseconds in [999, -1_998, 999, 1_000, -1_000] as [Int64] {
      play.fixture.now.wall = play.fixture.now.wall.adding(milliseconds: milliseconds)
      play.give("the clock moves by \(milliseconds) ms", .woke)
    }
    for state in [ClockState.unsynced, .unset, .unsynced, .synced, .unset, .synced] {
      play.fixture.now.clockState = state
      play.give("the clock is \(state)", .woke)
    }
    let low: Int64 = 64 << 20
    for bytes in [low, low - 1, low, 2 * low - 1, 2 * low, 2 * low - 1, low, 0] {
      play.give("\(bytes) bytes are free", .disk(freeBytes: bytes))
    }
    for seconds in [960, 961, 959] as [Int64] {
      play.fixture.move(to: play.fixture.now.wall.adding(seconds: seconds))
      play.give("\(seconds) s without a heartbeat", .heartbeat)
    }
    for milliseconds in [0, -999, -1_000, 5_000] as [Int64] {
      play.fixture.now.wall = play.fixture.now.wall.adding(milliseconds: milliseconds)
      play.fixture.now.bootID += "+"
      play.give("boot after \(milliseconds) ms", .started(Start(version: "1.\(milliseconds)")))
    }
    for milliseconds in [-999, -1_000, -60_000] as [Int64] {
      play.fixture.now.wall = play.fixture.now.wall.adding(milliseconds: milliseconds)
      play.restart(newBoot: true)
    }
    play.give("stop", .stopping(reason: "update"))
    play.restart(offForSeconds: 3)
    play.restart(offForSeconds: 3)
    play.give("tzdata", .zonesChanged)
    play.fixture.environment.tzdataVersion = "2027a"
    play.fixture.environment.homeZone = .utc
    play.give("another zone", .zonesChanged)
    play.end()
    return play
  }

  private static func sleep() -> InputSequence {
    var play = InputSequence("a device that sleeps")
    play.fixture.isNotifierSilent = true
    play.add("a1", "Pills", "every 10 minutes") {
      ($0.rings, $0.lateWindowSeconds) = (1, 600)
      $0.notifySteps = [.init(contact: "bob", afterSeconds: 30)]
    }
    for (seconds, asleep) in [
      (10, 999), (10, 1_000), (5, 9_000), (700, 690_000), (4_000, 3_990_000),
    ]
      as [(Int64, Int64)]
    {
      play.fixture.move(to: play.fixture.now.wall.adding(seconds: seconds))
      play.fixture.now.asleepMilliseconds += asleep
      play.give("\(asleep) ms asleep in \(seconds) s", .woke)
    }
    play.pass(20)
    play.restart(offForSeconds: 4_000, newBoot: true)
    play.stepClock(4_000)
    play.stepClock(-6_000)
    play.pass(600)
    play.end()
    return play
  }

  private static func screens() -> InputSequence {
    var play = InputSequence("reports of a screen")
    let unknown = PromptID(alarm: AlarmID("a9"), nominalKey: 4)
    play.add("a1", "Pills", "in 1 minute") { ($0.rings, $0.spacingSeconds) = (3, 60) }
    func screen(_ name: String) {
      let id = play.prompt(of: "a1")
      play.command("\(name): present", .present(id), by: CoreFixture.patient)
      play.command("\(name): say again", .sayAgain(id), by: CoreFixture.patient)
    }
    play.command("unknown", .present(unknown))
    play.command("unknown", .sayAgain(unknown))
    screen("planned")
    play.pass(60)
    screen("ringing")
    play.pass(5)
    screen("waiting")
    screen("said again")
    play.command("later", .answer(nil, .delay(seconds: 60)))
    screen("delayed")
    play.person("quiet", "patient") { $0.quietHours = "09:02-09:10" }
    play.pass(60)
    screen("held")
    play.person("not quiet", "patient") { $0.quietHours = "" }
    play.pass(200)
    screen("rung out")
    play.command("on my way", .answer(nil, .acknowledge))
    screen("acknowledged")
    play.command("complete", .answer(play.prompt(of: "a1"), .complete))
    screen("completed")
    play.end()
    return play
  }
}
