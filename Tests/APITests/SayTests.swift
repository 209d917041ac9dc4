import API
import Alarms
import Testing

@Suite struct `The body of an announcement` {
  private func say(_ fields: String) throws -> Say {
    try Say(body: Array(#"{"text":"Shall I come?"\#(fields)}"#.utf8))
  }

  @Test func `without an answer to wait for sounds once`() throws {
    let form = try say("").form
    #expect(form.rings == 1 && form.lateWindowSeconds == 120)
    #expect(form.message == nil && form.questions == nil)
  }

  @Test(arguments: [
    (#","answer":"heard""#, 3, 600, 1_800), (#","answer":"heard","expires":"2h""#, 3, 600, 7_200),
    (#","answer":"heard","expires":"10m","repeat":4"#, 4, 150, 600),
    (#","answer":"yes_no","expires":"1m","repeat":10"#, 10, 6, 60),
  ])
  func `with an answer to wait for sounds several times`(
    fields: String, rings: Int, spacing: Int64, window: Int64
  ) throws {
    let form = try say(fields).form
    #expect(form.rings == rings && form.spacingSeconds == spacing)
    #expect(form.lateWindowSeconds == window)
    #expect(form.questions?.first?.kind == (fields.contains("yes_no") ? "yes_no" : nil))
  }

  @Test(arguments: [
    (#","expires":"2h""#, "expires"), (#","repeat":2"#, "repeat"),
    (#","answer":"heard","expires":"30s""#, "expires"),
    (#","answer":"heard","expires":"25h""#, "expires"),
    (#","answer":"heard","repeat":11"#, "repeat"), (#","answer":"heard","repeat":0"#, "repeat"),
    (#","answer":"maybe""#, "answer"),
  ])
  func `with impossible values is refused by its field`(fields: String, field: String) {
    #expect {
      try say(fields)
    } throws: {
      ($0 as? Refusal)?.field == field
    }
  }
}
