import Testing

@testable import prompter_button

/// A movement of the button (`d` down, `u` up, `x` unplugged), and its time in milliseconds.
private typealias Movement = (Character, Int64)

/// Gives the movements to the recogniser, and lets the time between the movements pass. Returns
/// each press with its time.
private func presses(_ movements: [Movement], until end: Int64 = 20_000) -> [String] {
  var recogniser = PressRecogniser()
  var found: [String] = []
  func note(_ press: Press?, _ at: Int64) {
    if let press { found.append("\(press)@\(at)") }
  }
  func pass(to time: Int64) {
    while let deadline = recogniser.deadline, deadline <= time {
      note(recogniser.elapse(at: deadline), deadline)
    }
  }
  for (kind, time) in movements {
    pass(to: time - 1)
    if kind == "x" {
      recogniser.lose()
    } else {
      note(recogniser.take(isDown: kind == "d", at: time), time)
    }
  }
  pass(to: end)
  #expect(recogniser.deadline == nil, "nothing is pending at the end")
  return found
}

@Suite struct PressRecogniserTests {
  @Test func `a short press is recognised when it is released`() {
    #expect(presses([("d", 1_000), ("u", 1_200)]) == ["short@1230"])
  }

  @Test func `a press of two to five seconds is recognised once, when it is released`() {
    #expect(presses([("d", 1_000), ("u", 3_000)]) == ["held@3000", "long@3030"])
    #expect(presses([("d", 1_000), ("u", 5_999)]) == ["held@3000", "long@6029"])
  }

  @Test func `a press of five seconds asks for a call, and is not also a long press`() {
    #expect(presses([("d", 1_000), ("u", 6_000)]) == ["held@3000", "call@6000"])
    #expect(presses([("d", 1_000), ("u", 9_000)]) == ["held@3000", "call@6000"])
  }

  @Test func `a button that stays down asks for one call`() {
    #expect(presses([("d", 1_000)], until: 200_000) == ["held@3000", "call@6000"])
  }

  @Test func `a press soon after a call counts as the same press`() {
    let again: [Movement] = [("d", 1_000), ("u", 6_100), ("d", 7_000), ("u", 7_200)]
    #expect(presses(again) == ["held@3000", "call@6000"])
  }

  @Test func `a bounce of a press that is held does not shorten the way to a call`() {
    #expect(
      presses([("d", 1_000), ("u", 4_000), ("d", 4_020), ("u", 7_000)])
        == ["held@3000", "call@6000"])
  }

  @Test func `a button that is unplugged before five seconds asks for no call`() {
    #expect(presses([("d", 1_000), ("x", 5_500)]) == ["held@3000"])
  }

  @Test func `a press released just before two seconds is short`() {
    #expect(presses([("d", 1_000), ("u", 2_999)]) == ["short@3029"])
  }

  @Test func `a bouncing contact gives one press`() {
    let bouncing: [Movement] = [
      ("d", 1_000), ("u", 1_004), ("d", 1_009), ("u", 1_300), ("d", 1_310), ("u", 1_322),
    ]
    #expect(presses(bouncing) == ["short@1352"])
  }

  @Test func `a bounce in the middle of a long press does not end it`() {
    #expect(
      presses([("d", 1_000), ("u", 2_000), ("d", 2_020), ("u", 5_000)])
        == ["held@3000", "long@5030"])
  }

  @Test func `a touch shorter than a bounce gives no press`() {
    #expect(presses([("d", 1_000), ("u", 1_010)]) == [])
  }

  @Test func `a second quick press counts as the same press`() {
    let twice: [Movement] = [("d", 1_000), ("u", 1_150), ("d", 1_500), ("u", 1_650)]
    #expect(presses(twice) == ["short@1180"])
  }

  @Test func `a second quick press that is held does not count as a long press`() {
    #expect(
      presses([("d", 1_000), ("u", 1_150), ("d", 1_500), ("u", 6_000)]) == ["short@1180"])
  }

  @Test func `two presses with time between them count as two`() {
    let two: [Movement] = [("d", 1_000), ("u", 1_150), ("d", 3_000), ("u", 3_200)]
    #expect(presses(two) == ["short@1180", "short@3230"])
  }

  @Test func `a button that is unplugged while held gives no press, and works again later`() {
    #expect(presses([("d", 1_000), ("x", 1_500), ("d", 9_000), ("u", 9_200)]) == ["short@9230"])
  }

  @Test func `the key repeats of a keyboard count as one press`() {
    #expect(
      presses([("d", 1_000), ("d", 1_250), ("d", 1_283), ("u", 1_400)]) == ["short@1430"])
  }
}
