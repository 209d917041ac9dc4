import Testing

@testable import Pairing

@Suite struct `An invitation` {
  private static let code = "12345678"
  private static let secret = "00112233445566778899aabbccddeeff"

  private func invited(at now: Int64 = 0) throws -> Invitations {
    var book = Invitations()
    try book.invite("sofia", code: Self.code, secret: Self.secret, at: now)
    return book
  }

  /// Returns the reason for the refusal of a code; returns nil if the code is accepted.
  private func refusal(
    _ book: inout Invitations, _ given: String, at now: Int64
  ) -> Invitations.Refusal? {
    do throws(Invitations.Refusal) {
      _ = try book.accept(given, at: now)
      return nil
    } catch {
      return error
    }
  }

  /// Compares two refusals. The arguments of the macro `#expect` cannot call a mutating function.
  private func expect(
    _ found: Invitations.Refusal?, _ expected: Invitations.Refusal,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(found == expected, sourceLocation: location)
  }

  @Test(arguments: [code, secret, "1234 5678", " 1234-5678 "])
  func `accepts its code or its secret once`(given: String) throws {
    var book = try invited()
    let user = try book.accept(given, at: 599)
    #expect(user == "sofia")
    expect(refusal(&book, given, at: 599), .noInvitation)
  }

  @Test func `ends after ten minutes`() throws {
    var book = try invited(at: 5)
    expect(refusal(&book, Self.code, at: 605), .noInvitation)
    // The boot time never goes back. Even if the time were earlier again, an ended invitation would
    // not become valid.
    expect(refusal(&book, Self.code, at: 5), .noInvitation)
  }

  @Test func `ends after five wrong codes`() throws {
    var book = try invited()
    for left in [4, 3, 2, 1, 0] {
      expect(refusal(&book, "87654321", at: 1), .wrongCode(triesLeft: left))
    }
    expect(refusal(&book, Self.code, at: 1), .noInvitation)
  }

  @Test func `is replaced by the next one`() throws {
    var book = try invited()
    try book.invite("ben", code: "11112222", secret: "ff", at: 1)
    expect(refusal(&book, Self.code, at: 1), .wrongCode(triesLeft: 4))
    let user = try book.accept("11112222", at: 1)
    #expect(user == "ben")
  }

  @Test func `is impossible for an hour after ten wrong codes in one hour`() throws {
    var book = try invited()
    for _ in 0..<5 { _ = refusal(&book, "0", at: 10) }
    try book.invite("sofia", code: Self.code, secret: Self.secret, at: 3_600)
    for _ in 0..<4 { _ = refusal(&book, "0", at: 3_609) }
    expect(refusal(&book, "0", at: 3_609), .locked(minutes: 60))
    expect(refusal(&book, Self.code, at: 3_610), .locked(minutes: 60))
    var copy = book
    #expect(throws: Invitations.Refusal.locked(minutes: 1)) {
      try copy.invite("sofia", code: Self.code, secret: Self.secret, at: 3_609 + 3_590)
    }
    try book.invite("sofia", code: Self.code, secret: Self.secret, at: 3_609 + 3_600)
    let user = try book.accept(Self.code, at: 3_609 + 3_601)
    #expect(user == "sofia")
  }

  @Test func `counts only the wrong codes of the last hour`() throws {
    var book = try invited()
    for _ in 0..<5 { _ = refusal(&book, "0", at: 0) }
    try book.invite("sofia", code: Self.code, secret: Self.secret, at: 3_600)
    for _ in 0..<4 { _ = refusal(&book, "0", at: 3_600) }
    let user = try book.accept(Self.code, at: 3_601)
    #expect(user == "sofia")
  }

  @Test func `that was never sent cannot be guessed, and a guess is not counted`() {
    var book = Invitations()
    for _ in 0..<50 { expect(refusal(&book, "12345678", at: 0), .noInvitation) }
    expect(refusal(&book, "", at: 0), .noInvitation)
  }
}
