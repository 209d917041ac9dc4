import Testing

@testable import Pairing

@Suite struct `The rights of a sender of a request about phones` {
  private let device = Device(
    number: 3, user: "sofia", kind: "iPhone", digest: "", addedOn: "2026-11-26",
    usedOn: "2026-11-26")

  @Test(arguments: [
    (PhoneManager.administrator, true), (.user("sofia"), true), (.user("ben"), false),
    (.user("Sofia"), false), (.phone(number: 9, user: "sofia"), true),
    (.phone(number: 3, user: "ben"), false),
  ])
  func `reach the own phones, and those of others only for an administrator`(
    manager: PhoneManager, isManaged: Bool
  ) {
    #expect(manager.manages(device) == isManaged)
  }

  @Test(arguments: [
    (PhoneManager.administrator, "ben" as String?, "ben" as String?),
    (.administrator, nil, nil), (.administrator, "", nil), (.administrator, "two words", nil),
    (.administrator, String(repeating: "a", count: 65), nil),
    (.user("sofia"), nil, "sofia"), (.user("sofia"), "sofia", "sofia"),
    (.user("sofia"), "ben", nil),
    (.user("sofia"), "", nil),
    (.phone(number: 3, user: "sofia"), nil, nil), (.phone(number: 3, user: "sofia"), "sofia", nil),
  ])
  func `permit a code only for an allowed user, and never from a phone`(
    manager: PhoneManager, asked: String?, user: String?
  ) {
    let found = try? manager.userToInvite(asked)
    #expect(found == user)
  }

  @Test func `mark only the phone that shows the page`() {
    #expect(PhoneManager.phone(number: 3, user: "sofia").isThis(device))
    #expect(!PhoneManager.phone(number: 4, user: "sofia").isThis(device))
    #expect(!PhoneManager.user("sofia").isThis(device))
    #expect(!PhoneManager.phone(number: 3, user: "sofia").mayAdd)
  }
}
