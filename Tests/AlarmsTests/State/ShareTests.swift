import CivilTime
import Testing

@testable import Alarms

@Suite struct ShareTests {
  private typealias Case = (added: Int, own: Int, total: Int, former: Int, Quota.Exceeded?)

  @Test func `a user has a share, a guaranteed part, and at most a total of five quarters`() {
    let quota = Quota(limit: 160, parts: 2)
    #expect(quota.share == 80 && quota.guaranteed == 10)
    let cases: [Case] = [
      (1, 0, 0, 0, nil), (80, 0, 0, 0, nil), (81, 0, 0, 0, .share), (1, 80, 80, 0, .share),
      (1, 79, 159, 0, nil), (1, 79, 160, 0, .limit), (1, 9, 160, 0, nil), (1, 10, 160, 0, .limit),
      (10, 0, 190, 0, nil), (10, 0, 191, 0, .limit), (1, 0, 200, 0, .limit),
      // A replacement that is not larger than the old object can exceed the limit for all users
      // together, but never the share of its user.
      (5, 50, 195, 5, nil), (6, 50, 195, 5, .limit), (5, 76, 100, 5, .share),
    ]
    for (added, own, total, former, expected) in cases {
      #expect(
        quota.exceeded(adding: added, own: own, total: total, former: former) == expected,
        "\(added) beside \(own) of \(total), for \(former)")
    }
    let one = Quota(limit: 1, parts: 2)
    #expect(one.exceeded(adding: 1, own: 0, total: 0) == nil)
    #expect(one.exceeded(adding: 1, own: 0, total: 1) == .limit)
  }

  @Test func `the counts of alarms in a home stay correct after each change`() throws {
    var fixture = CoreFixture()
    for number in 0..<6 {
      try fixture.add(String(repeating: "l", count: number + 1)) {
        $0.schedule = "every day 08:00"
        $0.instructions = "how"
      }
    }
    let ids = fixture.home.alarms.map(\.id).sorted()
    var form = AlarmForm()
    form.allowsDuplicate = true
    form.instructions = String(repeating: "i", count: 2_000)
    try fixture.handle(.command(.edit(ids[0], ifVersion: nil, form), CoreFixture.anna))
    try fixture.handle(.command(.remove(ids[1], ifVersion: nil), CoreFixture.anna))
    let weight = fixture.home.alarms.reduce(0) { $0 + $1.weight }
    #expect(weight > 2_000)
    #expect(fixture.home.holdings.weight == weight)
    #expect(fixture.home.holdings.weights == [CoreFixture.anna.id: weight])
    #expect(fixture.home.holdings.alarmCounts == [CoreFixture.anna.id: 5])
    for id in ids where id != ids[1] {
      try fixture.handle(.command(.remove(id, ifVersion: nil), CoreFixture.anna))
    }
    #expect(fixture.home.holdings.weight == 0 && fixture.home.holdings.weights.isEmpty)
    #expect(fixture.home.holdings.alarmCounts.isEmpty)
  }

  @Test func `the texts of all alarms are limited, and other users can still set theirs`() throws {
    var fixture = CoreFixture()
    let choices = (0..<30).map {
      Choice(name: "c\($0)", text: String(repeating: "t", count: 100))
    }
    let questions = (0..<20).map { number in
      var question = QuestionForm()
      question.name = "q\(number)"
      question.text = String(repeating: "t", count: 200)
      question.kind = "choices"
      question.choices = choices
      return question
    }
    var form = AlarmForm()
    form.allowsDuplicate = true
    form.label = "Pills"
    form.schedule = "every year on january 1 at 08:00"
    form.questions = questions
    func add(_ number: Int, _ form: AlarmForm, _ user: String) throws {
      let actor = Actor(role: .caretaker, id: user, source: "socket")
      try fixture.handle(.command(.add(AlarmID("a\(number)"), form), actor))
    }
    var count = 0
    #expect {
      while true {
        try add(count, form, "uid:1")
        count += 1
      }
    } throws: {
      ($0 as? Refusal)?.kind == .limit
    }
    #expect((200..<500).contains(count), "\(count)")
    #expect(fixture.home.holdings.weight <= 32 << 20)
    try add(count, form, "uid:2")
    form.questions = nil
    try add(count + 1, form, "uid:2")
    // The daemon always accepts a change that does not make an alarm larger.
    var change = AlarmForm()
    change.label = "Tea"
    let caretaker = Actor(role: .caretaker, id: "uid:1", source: "socket")
    try fixture.handle(.command(.edit(AlarmID("a0"), ifVersion: nil, change), caretaker))
    change.instructions = String(repeating: "i", count: 2_000)
    #expect(throws: Refusal.self) {
      try fixture.handle(.command(.edit(AlarmID("a0"), ifVersion: nil, change), caretaker))
    }
  }
}
