import CivilTime
import Testing

@testable import Alarms

/// The pictures of alarms and rewards, and the photos of completed tasks.
@Suite struct `A picture` {
  private func picture(_ name: String, bytes: Int = 100) -> Picture {
    Picture(sha256: name, mediaType: "image/png", width: 4, height: 3, bytes: bytes)
  }

  private func refusal(
    _ fixture: CoreFixture, _ command: Command, by actor: Actor = CoreFixture.anna
  ) -> String? {
    var copy = fixture
    do throws(Refusal) {
      try copy.handle(.command(command, actor))
      return nil
    } catch {
      #expect(copy.records == fixture.records)
      return "\(error.kind.rawValue) \(error)"
    }
  }

  @Test func `that is added twice by one user is recorded once`() throws {
    var fixture = CoreFixture()
    let first = picture("aa")
    #expect(try fixture.handle(.command(.addPicture(first), CoreFixture.anna)) == .picture(first))
    let count = fixture.records.count
    #expect(fixture.records.last?.event == .imageAdded(first))
    // The second picture has the same content as the first picture. The reply contains the stored
    // picture, which is the first picture.
    let again = picture("aa", bytes: 101)
    #expect(try fixture.handle(.command(.addPicture(again), CoreFixture.anna)) == .picture(first))
    #expect(fixture.records.count == count)
    // The limits count the pictures of each user separately. Therefore the daemon records the same
    // picture for a second user, too.
    let bob = Actor(role: .caretaker, id: "uid:1001", source: "socket")
    #expect(try fixture.handle(.command(.addPicture(again), bob)) == .picture(first))
    #expect(fixture.records.count == count + 1)
    #expect(fixture.records.last?.event == .imageAdded(first))
  }

  @Test func `that is used cannot be removed`() throws {
    var fixture = CoreFixture()
    for name in ["aa", "bb", "cc"] {
      try fixture.handle(.command(.addPicture(picture(name)), CoreFixture.anna))
    }
    for label in ["D", "C", "B", "A"] {
      try fixture.add(label) {
        $0.schedule = "every day 08:00"
        $0.image = "aa"
      }
    }
    try fixture.person { $0.rewardImage = "bb" }
    #expect(
      refusal(fixture, .removePicture("aa"))
        == "in_use cannot remove the picture: it belongs to \"A\", \"B\", \"C\" and others; first "
        + "choose another picture there, or none")
    #expect(
      refusal(fixture, .removePicture("bb"))
        == "in_use cannot remove the picture: it is the reward of \"patient\"; first choose another "
        + "reward picture there, or none")
    #expect(refusal(fixture, .removePicture("dd")) == "not_found there is no picture \"dd\"")
    #expect(
      try fixture.handle(.command(.removePicture("cc"), CoreFixture.anna))
        == .picture(picture("cc")))
    #expect(fixture.records.last?.event == .imageRemoved(picture("cc")))
    #expect(refusal(fixture, .removePicture("cc")) == "not_found there is no picture \"cc\"")
  }

  @Test func `is shown to the people of its alarms and rewards`() throws {
    var fixture = CoreFixture()
    var person = PersonForm()
    person.name = "Eva"
    try fixture.handle(.command(.addPerson(PersonID("eva"), person), CoreFixture.anna))
    for name in ["aa", "bb", "cc"] {
      try fixture.handle(.command(.addPicture(picture(name)), CoreFixture.anna))
    }
    try fixture.add {
      ($0.schedule, $0.image, $0.person) = ("every day 08:00", "aa", "patient")
    }
    try fixture.person { $0.rewardImage = "bb" }
    let people: [PersonID?] = [nil, .patient, PersonID("eva")]
    #expect(people.map { fixture.home.shows("aa", to: $0) } == [true, true, false])
    #expect(people.map { fixture.home.shows("bb", to: $0) } == [true, true, false])
    #expect(people.map { fixture.home.shows("cc", to: $0) } == [false, false, false])
  }

  @Test func `of an alarm must exist, and an empty text removes it`() throws {
    var fixture = CoreFixture()
    try fixture.handle(.command(.addPicture(picture("aa")), CoreFixture.anna))
    let alarm = try fixture.add { ($0.schedule, $0.image) = ("every day 08:00", "aa") }
    func image(_ image: String?) throws -> String? {
      var form = AlarmForm()
      (form.image, form.label) = (image, "Label \(image ?? "-")")
      var copy = fixture
      try copy.handle(.command(.edit(alarm.id, ifVersion: nil, form), CoreFixture.anna))
      return copy.home.alarm(alarm.id)?.image
    }
    #expect(try image(nil) == "aa")
    #expect(try image("") == nil)
    #expect(try image("aa") == "aa")
    var form = AlarmForm()
    form.image = "bb"
    #expect(
      refusal(fixture, .edit(alarm.id, ifVersion: nil, form))
        == "invalid_field image: there is no picture \"bb\"; add it first")
    var person = PersonForm()
    person.rewardImage = "bb"
    #expect(
      refusal(fixture, .changePerson(.patient, ifVersion: nil, person))
        == "invalid_field reward_image: there is no picture \"bb\"; add it first")
  }
}

/// A photo of a completed task.
@Suite struct `A photo` {
  private func home() throws -> (CoreFixture, PromptID) {
    var fixture = try pills()
    for name in ["aa", "bb", "cc"] {
      let picture = Picture(
        sha256: name, mediaType: "image/png", width: 4, height: 3, bytes: 100)
      try fixture.handle(.command(.addPicture(picture), CoreFixture.anna))
    }
    fixture.pass(seconds: 20)
    return (fixture, try #require(fixture.home.openPrompts.first?.id))
  }

  private func types(_ fixture: CoreFixture, from count: Int) -> [String] {
    fixture.records.dropFirst(count).map(\.event.type).filter { $0 != "ring_ended" }
  }

  @Test func `completes its prompt, and belongs to this prompt`() throws {
    var (fixture, id) = try home()
    let count = fixture.records.count
    try fixture.handle(.command(.completeShowing(id, photo: "aa"), CoreFixture.anna))
    #expect(types(fixture, from: count) == ["completed", "photo_added"])
    #expect(fixture.home.pictures["aa"]?.prompt == id)
    // A second request with the same photo changes nothing. The reply contains the same prompt as
    // the reply to the first request.
    let again = fixture.records.count
    let reply = try fixture.handle(.command(.completeShowing(id, photo: "aa"), CoreFixture.anna))
    guard case .answered(let answered)? = reply else {
      Issue.record("no answer came back")
      return
    }
    #expect(answered.prompt.id == id)
    #expect(types(fixture, from: again) == [])
    // A user adds a second photo to the completed prompt.
    try fixture.handle(.command(.completeShowing(id, photo: "bb"), CoreFixture.anna))
    #expect(types(fixture, from: again) == ["photo_added"])
    #expect(fixture.home.pictures["bb"]?.prompt == id)
    #expect(fixture.home.pictures["cc"]?.prompt == nil)
    // If another user adds the same photo again, the photo still belongs to the prompt.
    let bob = Actor(role: .caretaker, id: "uid:1001", source: "socket")
    let copy = Picture(sha256: "aa", mediaType: "image/png", width: 4, height: 3, bytes: 100)
    try fixture.handle(.command(.addPicture(copy), bob))
    #expect(fixture.home.pictures["aa"]?.prompt == id)
  }

  @Test func `completes the oldest due prompt if no prompt is named`() throws {
    var (fixture, id) = try home()
    try fixture.handle(.command(.completeShowing(nil, photo: "cc"), CoreFixture.anna))
    #expect(fixture.home.pictures["cc"]?.prompt == id)
    #expect(fixture.outcomes == [.completed])
  }

  @Test func `is refused if it is unknown, used, or belongs to another prompt`() throws {
    var (fixture, id) = try home()
    func refusal(_ id: PromptID?, _ photo: String) -> String? {
      do throws(Refusal) {
        var copy = fixture
        try copy.handle(.command(.completeShowing(id, photo: photo), CoreFixture.anna))
        return nil
      } catch {
        return "\(error.kind.rawValue) \(error)"
      }
    }
    #expect(
      refusal(id, "dd") == "invalid_field photo: there is no picture \"dd\"; add it first")
    try fixture.add { ($0.schedule, $0.image) = ("every day 08:00", "bb") }
    #expect(
      refusal(id, "bb")
        == "conflict photo: this is the picture of an alarm or of a reward; add a photo of the "
        + "completed task")
    let other = try fixture.add { $0.schedule = "in 5 seconds" }
    try fixture.handle(.command(.completeShowing(id, photo: "aa"), CoreFixture.anna))
    fixture.pass(seconds: 6)
    let next = try #require(fixture.home.openPrompts.first { $0.id.alarm == other.id }?.id)
    #expect(refusal(next, "aa") == "conflict photo: this photo already belongs to another task")
    #expect(refusal(next, "cc") == nil)
  }
}
