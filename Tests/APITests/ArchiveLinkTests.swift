import API
import Alarms
import JSONValue
import Testing

@Suite struct `The state of the link to an archive` {
  private static let hash = String(repeating: "a", count: 64)

  private func link(_ text: String) -> ArchiveLink { ArchiveLink(statusFile: Array(text.utf8)) }

  @Test func `contains the events that the archive has, and those in its backup`() {
    let found = link(
      #"{"state":"waiting","study":"remind1","head":"120-\#(Self.hash)","safe_head":"100-\#(Self.hash)","#
        + #""contact_s":1800000000,"detail":"cannot reach the archive"}"#)
    #expect(
      (found.state, found.study, found.detail) == ("waiting", "remind1", "cannot reach the archive")
    )
    #expect((found.archivedSequence, found.safeSequence) == (120, 100))
    let json = found.json(head: 125)
    #expect(json["backlog"]?.integer == 5)
    #expect(json["contact_utc"]?.string == "2027-01-15T08:00:00.000Z")
    // After a restore from a backup, the record of the home can contain fewer rows than the
    // archive. In this case, the backlog is 0.
    #expect(found.json(head: 90)["backlog"]?.integer == 0)
  }

  @Test func `before the first contact has no event`() {
    let found = link(
      #"{"state":"waiting","study":"remind1","head":null,"safe_head":null,"contact_s":null,"detail":null}"#
    )
    #expect((found.archivedSequence, found.safeSequence, found.contact) == (0, 0, nil))
    #expect(found.json(head: 7)["backlog"]?.integer == 7)
  }

  @Test(arguments: [
    "", "{}", "[]", "nothing", #"{"state":"collecting","study":"s"}"#,
    #"{"state":"odd","study":"s","head":null,"safe_head":null}"#,
    #"{"state":"collecting","study":"s","head":"x","safe_head":null}"#,
    #"{"state":"collecting","study":"s","head":null,"safe_head":7}"#,
    #"{"state":"collecting","head":null,"safe_head":null}"#,
  ]) func `in a damaged file keeps every event at home`(file: String) {
    #expect(link(file) == .unreadable && ArchiveLink.unreadable.safeSequence == 0)
  }
}
