import CivilTime
import Testing

@testable import Alarms

/// Checks that a home gets each part of a snapshot.
@Suite struct `A restored home` {
  private static let at = CoreFixture().now.wall

  private static func prompt(_ key: Int64, _ state: PromptState, answered: Bool = false) -> Prompt {
    Prompt(
      id: PromptID(alarm: AlarmID("a"), nominalKey: key), alarmVersion: 1,
      dueAt: at.adding(seconds: key), zoneName: "UTC", utcOffsetSeconds: 0, state: state,
      lastAnswer: answered
        ? LastAnswer(
          at: at,
          before: .init(
            state: .planned, delays: 0, acknowledgedAt: nil, notifyProgress: .none)) : nil)
  }

  @Test func `has each part of its snapshot`() throws {
    var alarm = Alarm(
      id: AlarmID("a"), version: 1, person: .patient, label: "Pills", instructions: "",
      schedule: .after(
        AfterAnswer(anchor: .alarm(AlarmID("b")), seconds: 60, latest: nil, first: nil)),
      phrase: "", zoneName: "UTC", tone: nil, burst: .standard, lateWindowSeconds: 60,
      delaySeconds: 60, delayLimit: 1)
    alarm.escalation.notifySteps = ["anna", "bob", "anna"].map {
      NotifyStep(contact: $0, afterSeconds: 60)
    }
    let tone = Tone(name: "dad", sha256: "t", durationMilliseconds: 1, loudnessLUFS: -16)
    let picture = Picture(sha256: "p", mediaType: "image/png", width: 1, height: 1, bytes: 9)
    let supply = Supply(id: SupplyID("s"), settings: SupplySettings(name: "Box"), left: 4)
    let list = HolidayList(
      name: "X", days: [Holiday(date: try CivilDate(parsing: "2027-05-01"), label: "A")])
    let eva = PersonState(id: PersonID("eva"), person: Person(id: PersonID("eva"), version: 3))
    let closed = PromptState.closed(.completed, reason: .none, at: Self.at)
    let (open, waiting) = (
      Self.prompt(2, .planned), Self.prompt(4, .waiting(ring: 0, at: Self.at))
    )
    let (answered, lost) = (Self.prompt(6, closed, answered: true), Self.prompt(8, .planned))
    var snapshot = HomeSnapshot(
      alarms: [alarm], openPrompts: [open, waiting], answeredPrompts: [answered],
      mismatches: [ProjectionMismatch(prompt: lost, defect: .promptNotStored)], tones: [tone],
      people: [eva], levels: ["card0": 40], pictures: [picture])
    (snapshot.supplies, snapshot.holidays) = ([supply], [list])
    snapshot.alarmCreators = [alarm.id: "uid:1"]
    (snapshot.uploaders, snapshot.toneAdders) = (["p": ["uid:2"]], ["dad": "uid:3"])
    let home = HomeState(
      snapshot: snapshot, limits: .standard, environment: CoreFixture().environment)
    #expect(Array(home.alarms) == [alarm] && home.followers == [AlarmID("b"): [alarm.id]])
    #expect(home.tones == ["dad": tone] && home.pictures == ["p": picture])
    #expect(home.supplies == [supply.id: supply] && home.holidays == ["X": list])
    #expect(home.people == [.patient: .ofNewHome, eva.id: eva] && home.levels == ["card0": 40])
    #expect(home.alarmsByContact == ["anna": 1, "bob": 1])
    #expect(home.holdings.weight == alarm.weight && home.holdings.alarmCounts == ["uid:1": 1])
    #expect(home.holdings.weights == ["uid:1": alarm.weight])
    #expect(home.holdings.pictures == ["p": ["uid:2"]] && home.holdings.tones == ["dad": "uid:3"])
    #expect(home.hasUploaded("p", "uid:2") && !home.hasUploaded("p", "uid:3"))
    #expect(Set(home.openPrompts) == [open, waiting, lost] && home.openPromptCount == 3)
    #expect(home.answered == [answered.id] && home.isKnown(answered.id))
    #expect(home.prompt(answered.id) == nil && home.prompt(open.id) == open)
    #expect(home.waitingPrompts.map(\.id) == [waiting.id] && home.waitingPromptCount == 1)
    #expect(home.nextStep == Self.at && home.lostPrompts().isEmpty)
  }

  @Test func `finds each open prompt whose step or notification is missing in the queue`() {
    var notifying = Self.prompt(4, .planned)
    notifying.notifyProgress.nextAt = Self.at.adding(seconds: 90)
    var snapshot = HomeSnapshot(openPrompts: [Self.prompt(2, .planned), notifying])
    snapshot.answeredPrompts = [
      Self.prompt(6, .closed(.completed, reason: .none, at: Self.at), answered: true)
    ]
    var home = HomeState(
      snapshot: snapshot, limits: .standard, environment: CoreFixture().environment)
    #expect(home.lostPrompts().isEmpty)
    let items = home.queue.all
    #expect(items.count == 3)
    for item in items {
      home.queue = DueQueue()
      for other in items where other != item { home.queue.insert(other) }
      #expect(home.lostPrompts() == [item.prompt])
    }
    home.queue = DueQueue()
    #expect(home.lostPrompts().map(\.nominalKey) == [2, 4])
  }

  @Test func `limits the pictures of one user and of all users`() {
    var snapshot = HomeSnapshot()
    func picture(_ name: String) -> Picture {
      Picture(sha256: name, mediaType: "image/png", width: 1, height: 1, bytes: 1 << 20)
    }
    snapshot.pictures = ["a", "b", "c", "d"].map(picture)
    snapshot.uploaders = ["a": ["x"], "b": ["y"], "c": ["y"], "d": ["x", "z"]]
    func refusal(_ count: Int, _ bytes: Int, adding added: Int, by user: String) -> String? {
      let limits = HomeLimits(
        alarms: 1, tones: 1, ringsPerHour: 1, pictures: count, pictureBytes: bytes << 20)
      let home = HomeState(
        snapshot: snapshot, limits: limits, environment: CoreFixture().environment)
      let found = home.refusesPicture(bytes: added, by: user)
      #expect(found == nil || found?.kind == .limit && found?.field == nil)
      return found?.detail
    }
    let own = "cannot add the picture: one user may have at most "
    let all = "cannot add the picture: all users together have "
    #expect(refusal(4, 100, adding: 1, by: "x") == own + "2 pictures; remove some first")
    #expect(refusal(6, 100, adding: 1, by: "x") == nil)
    #expect(
      refusal(4, 100, adding: 1, by: "z")
        == all + "4 pictures, which is the limit; remove some first")
    #expect(refusal(4, 100, adding: 1, by: "new") == nil)
    #expect(
      refusal(100, 4, adding: 1, by: "y") == own + "2 MiB of pictures; remove some first")
    #expect(refusal(100, 6, adding: 1 << 20, by: "y") == nil)
    #expect(
      refusal(100, 6, adding: (1 << 20) + 1, by: "y")
        == own + "3 MiB of pictures; remove some first")
    #expect(
      refusal(100, 4, adding: 1, by: "z")
        == all + "4 MiB of pictures, which is the limit; remove some first")
  }
}
