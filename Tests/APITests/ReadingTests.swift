import API
import Alarms
import EventCoding
import JSONValue
import Testing

@Test(arguments: [
  ("90s", 90), ("10m", 600), ("1h30m", 5_400), ("2d", 172_800), ("1d2h3m4s", 93_784), ("0s", 0),
])
func `a duration is read, and its printed form gives the same duration`(
  text: String, seconds: Int64
)
  throws
{
  #expect(DurationText.seconds(text) == seconds)
  #expect(DurationText.seconds(DurationText.text(seconds)) == seconds)
}

@Test(arguments: [
  "", "10", "m", "10x", "1m1h", "1h1h", "-5m", "1.5h", "10 m", "99999999999999999999s", "٣m",
])
func `a text that is not a duration gives nil`(text: String) {
  #expect(DurationText.seconds(text) == nil)
}

@Test func `an unknown field is refused by name, and the known ones are listed`() throws {
  do {
    _ = try AlarmForm(body: Array(#"{"label":"Pills","shedule":"every day 08:00"}"#.utf8))
    Issue.record("the misspelt field was accepted")
  } catch {
    #expect(error.kind == .unknownField)
    #expect(error.field == "shedule")
    #expect(error.detail.contains("schedule"))
  }
}

@Test(arguments: [
  (#"{"label":5}"#, "label"), (#"{"rings":"five"}"#, "rings"), (#"{"rings":1.5}"#, "rings"),
  (#"{"spacing":"soon"}"#, "spacing"), (#"{"gains":[0,"x"]}"#, "gains"),
])
func `a field of the wrong type is refused by name`(body: String, field: String) {
  #expect {
    try AlarmForm(body: Array(body.utf8))
  } throws: {
    ($0 as? Refusal)?.field == field
  }
}

@Test(arguments: ["[]", "5", "{", #"{"a":1"#, "\u{FEFF}nonsense", #""text""#])
func `a body that is not a JSON object is refused as malformed`(body: String) {
  #expect {
    try AlarmForm(body: Array(body.utf8))
  } throws: {
    ($0 as? Refusal)?.kind == .malformed
  }
}

@Test func `a text is written as JSON and read back`() throws {
  let texts = ["", "a\"b\\c", "line\nline\ttab\r", "\u{1}\u{1F}", "Grüße, 薬の時間です 💊", "</script>"]
  for text in texts {
    let document = JSON.object([
      ("text", .string(text)), ("n", .integer(.min)), ("f", .number(-0.5)),
    ])
    let read = try JSON(parsing: Array(document.description.utf8))
    #expect(read["text"]?.string == text)
    #expect(read["n"]?.integer == .min)
    #expect(read["f"]?.double == -0.5)
  }
}

@Test func `a path gives its route with decoded parameters`() {
  let path = "/v1/prompts/k3v9%40x/complete"
  guard case .found(let route, let parameters) = Route.match(method: "POST", path: path) else {
    Issue.record("no route")
    return
  }
  #expect(route.operation == .complete)
  #expect(parameters == ["id": "k3v9@x"])
  #expect(Route.match(method: "GET", path: path) == .methodNotAllowed([.post]))
  for path in [
    "/", "", "/v1", "/v1/alarms/", "/v1/alarms/a/b", "/v1/prompts/%G1", "/v1/prompts/%FF",
  ] {
    #expect(Route.match(method: "GET", path: path) == .notFound, "\(path)")
  }
}

@Test func `every operation has exactly one route, which the admin may use`() {
  #expect(Route.all.count == Route.Operation.allCases.count)
  #expect(Set(Route.all.map(\.operation)).count == Route.Operation.allCases.count)
  #expect(Route.all.allSatisfy { $0.roles.contains(.admin) && !$0.roles.contains(.system) })
}

@Test func `a printed prompt id gives the same prompt id`() {
  for text in ["k3v9t2m8q4wz@2026-12-01T08:00:00", "a@1999-01-01T00:00:00~2"] {
    #expect(PromptID(text)?.description == text)
  }
  for text in ["", "@2026-12-01T08:00:00", "a@2026-02-30T08:00:00", "a", "a@"] {
    #expect(PromptID(text) == nil)
  }
}

@Test func `the reply to an old version names the current version as its tag`() {
  let refusal = Refusal(.versionConflict, version: 7, "alarm \"a\" is at version 7")
  let reply = APIResponse.problem(refusal, headers: ["x-more": "1"])
  #expect(reply.status == 412)
  #expect(reply.headers["etag"] == "\"7\"" && reply.headers["x-more"] == "1")
  #expect(APIResponse.problem(Refusal(.notFound, "gone")).headers["etag"] == nil)
}
