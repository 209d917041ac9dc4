import Foundation
import Sentences
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
    (#"{"status":409,"kind":"prompt_over"}"#, false), ("", false),
  ])
  func `an answer that took effect but is not recorded yet is not reported as a failure`(
    said: String, tookEffect: Bool
  ) {
    #expect((Answers.Refusal(Array(said.utf8))?.tookEffect ?? false) == tookEffect)
  }

  @Test func `a refusal is told by its kind and field`() {
    func sentence(_ said: String) -> Sentence? { Answers.Refusal(Array(said.utf8))?.sentence }
    #expect(sentence(#"{"kind":"delay_limit","detail":"too late"}"#) == .refusedLater)
    #expect(sentence(#"{"kind":"conflict","field":"photo"}"#) == .photoFailed)
    #expect(sentence(#"{"kind":"new"}"#) == .refusedAnswer)
    #expect(sentence("") == nil)
  }

  @Test func `the button speaks the language of the person, and else that of the home`() throws {
    let text = #"""
      {"language":"de","you":{"person":null},"languages":[
        {"person":"anna","language":"vi"},{"person":"ben","language":"fr"}]}
      """#
    var home = try JSONDecoder().decode(HomeLanguages.self, from: Data(text.utf8))
    #expect(home.tags(for: "anna") == ["vi", "de"])
    #expect(home.tags(for: nil) == ["de"])
    #expect(ButtonLanguage(home.tags(for: "ben")).language == .german)
    home.languages.removeLast()
    #expect(home.tags(for: nil) == ["vi", "de"])
    home.you.person = "ben"
    #expect(home.tags(for: nil) == ["de"])
    #expect(ButtonLanguage(["de-AT"]) == ButtonLanguage(["fr", "de-AT"]))
    #expect(ButtonLanguage(["fr"]).voice == "en")
  }

  @Test func `a press answers no prompt that never sounded`() throws {
    #expect(try heard(#"{"id":"a@0","rings_sounded":0,"acknowledge_first":false}"#) == nil)
    #expect(try heard("null") == nil)
  }
}
