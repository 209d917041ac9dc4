import Alarms
import Glibc
import Testing

@testable import Platform

@Suite struct `Lines of the journal` {
  @Test(arguments: ["\n", "\r\n", "\u{1B}[31m", "\u{9B}31m", "\u{2028}", "\u{202E}", "\u{7F}"])
  func `hold one line and no control characters of a terminal`(hostile: String) {
    let found = Journal.entries(
      "refused\(hostile)PRIORITY=0", LOG_INFO, [("PROMPT_ID", "a\(hostile)MESSAGE=all is well")])
    #expect(found.count == 4)
    for entry in found {
      #expect(!entry.unicodeScalars.contains(where: VisibleText.isControlCharacter), "\(entry)")
    }
    #expect(found[0].hasPrefix("MESSAGE=refused<U+") && found[3].hasPrefix("PROMPT_ID=a<U+"))
  }

  @Test func `stay unchanged if they contain nothing hostile`() {
    let found = Journal.entries("ring_started äé 👍", LOG_INFO, [("PROMPTER_EVENT", "ring_started")])
    #expect(found[0] == "MESSAGE=ring_started äé 👍" && found[3] == "PROMPTER_EVENT=ring_started")
  }
}
