import API
import Alarms
import CivilTime
import Engine

/// The handler of `/v1/metrics`, which returns measurements in the text format of Prometheus
/// (version 0.0.4).
///
/// A Prometheus label must not contain names or typed texts, because names and typed texts are
/// health data.
extension RequestHandler {
  func metrics() async throws -> APIResponse {
    let reading = ports.now()
    let head = archive.head()
    let outcomes = try archive.outcomes()
    let seen = await engine.read { home, isWritable in
      (
        alarms: home.alarms.count, tones: home.tones.count, open: home.openPromptCount,
        waiting: home.waitingPromptCount, isSounding: home.sounding != nil,
        isSpeakerUsable: home.speaker.isUsable, isWritable: isWritable,
        next: home.nextStep
      )
    }
    let machine = machine(
      await engine.read { home, _ in home.tones.values.sorted { $0.name < $1.name } })
    var text = MetricsText()
    text.gauge("prompter_alarms", "Alarms that are set.", seen.alarms)
    text.gauge("prompter_tones", "Recordings that are stored.", seen.tones)
    text.gauge("prompter_prompts_open", "Prompts that are planned or in progress.", seen.open)
    text.gauge("prompter_prompts_waiting", "Prompts that wait for an answer.", seen.waiting)
    text.gauge("prompter_sounding", "1 while a ring sounds.", seen.isSounding ? 1 : 0)
    if let usable = seen.isSpeakerUsable {
      text.gauge("prompter_speaker_usable", "1 if a speaker can be used.", usable ? 1 : 0)
    }
    text.gauge(
      "prompter_record_writable", "1 if the record can be written.", seen.isWritable ? 1 : 0)
    text.gauge(
      "prompter_clock_synced", "1 if the clock follows a time source.",
      reading.clockState == .synced ? 1 : 0)
    if let next = seen.next {
      text.gauge(
        "prompter_next_step_seconds", "Seconds until the next step is due.",
        Int(next.milliseconds(since: reading.wall) / 1_000))
    }
    if let free = machine.freeBytes {
      text.gauge("prompter_disk_free_bytes", "Free bytes on the disk of the record.", Int(free))
    }
    text.counter(
      "prompter_record_events_total", "Events in the record.", [("", Int(head.sequence))])
    text.counter(
      "prompter_prompts_closed_total", "Prompts that ended, by outcome.",
      outcomes.map { ("outcome=\"\($0.outcome.rawValue)\"", $0.count) })
    text.counter(
      "prompter_requests_total", "Requests answered since the start, by operation.",
      callerStats.requests.map { ("operation=\"\($0.0)\"", $0.1) })
    text.counter(
      "prompter_requests_refused_total", "Requests refused since the start, by status.",
      callerStats.refused.map { ("status=\"\($0.0)\"", $0.1) })
    text.gauge(
      "prompter_event_streams", "Open event streams.",
      callerStats.callers.reduce(0) { $0 + $1.caller.streams })
    return APIResponse(
      status: 200, contentType: "text/plain; version=0.0.4", body: .bytes(Array(text.text.utf8)))
  }
}

/// A builder for the lines of the Prometheus text format.
private struct MetricsText {
  var text = ""

  mutating func gauge(_ name: String, _ help: String, _ value: Int) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) gauge\n\(name) \(value)\n"
  }

  mutating func counter(_ name: String, _ help: String, _ values: [(labels: String, value: Int)]) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) counter\n"
    for (labels, value) in values {
      text += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
    }
  }
}
