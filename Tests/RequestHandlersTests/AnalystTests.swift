import API
import Alarms
import Fakes
import JSONValue
import Testing

@Suite struct `An analyst and a blinded study` {
  private static let enrolment =
    #"{"person":"patient","pseudonym":"P-1","study":"remind","arm":"usual","arm_code":"X"}"#

  @Test func `an analyst exports without names, and each refusal records nothing`() async throws {
    let home = await ServedHome()
    let before = home.fakes.types
    let refused = try await home.ask(
      .export, query: ["profile": "identified"], role: .analyst)
    #expect(refused.status == 403 && refused.document["field"]?.string == "profile")
    #expect(home.fakes.types == before)
    // In this home, every export fails as if the disk were full. A permitted export therefore
    // fails with the same error for each role.
    for query in [["profile": "limited"], ["profile": "safe_harbor"], [:]] {
      let asked = try await home.ask(.export, query: query, role: .analyst)
      let permitted = try await home.ask(.export, query: query, role: .researcher)
      #expect(asked.status == permitted.status && asked.status >= 500, "\(query)")
    }
    #expect(home.fakes.types == before)
  }

  @Test func `only an administrator gives the code of an arm, and lists show only the code`()
    async throws
  {
    let home = await ServedHome()
    let before = home.fakes.types
    let refused = try await home.ask(.enrol, body: Self.enrolment, role: .researcher)
    #expect(refused.status == 403 && refused.document["field"]?.string == "arm_code")
    #expect(home.fakes.types == before)
    let enrolled = try await home.ask(.enrol, body: Self.enrolment, role: .admin)
    #expect(enrolled.status == 201 && !"\(enrolled.document)".contains("usual"))
    for role in [Role.researcher, .admin] {
      let list = try await home.ask(.listParticipants, role: role).document
      #expect(list["participants"]?.array?.first?["arm"]?.string == "X")
      #expect(list["participants"]?.array?.first?["blinded"]?.bool == true)
      #expect(!"\(list)".contains("usual"))
    }
    let other = try await home.ask(.unblind, body: #"{"study":"other"}"#, role: .admin)
    #expect(other.status == 404)
    let open = try await home.ask(.unblind, body: #"{"study":"remind"}"#, role: .admin)
    #expect(open.status == 200 && home.fakes.types.last == "unblinded")
    #expect(open.document["participants"]?.array?.first?["arm"]?.string == "usual")
    #expect(try await home.ask(.unblind, body: #"{"study":"remind"}"#, role: .admin).status == 409)
  }

  @Test func `a note names its kind and is refused outside a study`() async throws {
    let home = await ServedHome()
    let body = #"{"person":"patient","kind":"adverse_event","text":"fell","serious":true}"#
    #expect(try await home.ask(.noteStudy, body: body, role: .caretaker).status == 409)
    _ = try await home.ask(
      .enrol, body: #"{"person":"patient","pseudonym":"P-1","study":"remind"}"#, role: .admin)
    let noted = try await home.ask(.noteStudy, body: body, role: .caretaker)
    #expect(noted.status == 201 && home.fakes.types.last == "adverse_event")
    #expect(noted.document["serious"]?.bool == true)
  }
}
