import Foundation
import Testing

@testable import prompter_button

@Suite struct ListingTests {
  private func heard(_ calling: String) throws -> Answers.Listing.Calling? {
    let first = #"{"id":"b@1","outcome":null,"rings_sounded":3}"#
    let text = #"{"prompts":[\#(first)],"waiting":2,"calling":\#(calling)}"#
    return try JSONDecoder().decode(Answers.Listing.self, from: Data(text.utf8)).heard
  }

  @Test func `a press answers the calling prompt of the daemon, not the first prompt in the list`()
    throws
  {
    let calling = try heard(#"{"id":"a@0","rings_sounded":1,"acknowledge_first":true}"#)
    #expect(calling?.id == "a@0" && calling?.acknowledgesFirst == true)
  }

  @Test(arguments: [
    (#"{"status":503,"kind":"not_recorded","detail":"it took effect"}"#, true),
    (#"{"status":503,"kind":"storage_failed","detail":"nothing was changed"}"#, false),
    (#"{"status":409,"kind":"conflict"}"#, false), ("", false),
  ])
  func `an answer that took effect but is not recorded yet is not reported as a failure`(
    said: String, tookEffect: Bool
  ) {
    #expect((Answers.Refusal(Array(said.utf8))?.tookEffect ?? false) == tookEffect)
  }

  @Test func `a press answers no prompt that never sounded`() throws {
    #expect(try heard(#"{"id":"a@0","rings_sounded":0,"acknowledge_first":false}"#) == nil)
    #expect(try heard("null") == nil)
  }
}
