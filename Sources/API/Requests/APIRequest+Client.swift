import Alarms

extension APIRequest {
  /// The name of the header field in which a program says what kind of program it is.
  public static let clientHeader = "Prompter-Client"

  /// The source of a request, from its header fields. The names of the header fields are in lower
  /// case.
  ///
  /// - Throws: a refusal if the header field contains an unknown kind of program.
  public static func source(_ headers: [String: String]) throws(Refusal) -> String {
    guard let text = headers[clientHeader.lowercased()] else { return ClientKind.unnamed }
    if let kind = ClientKind(rawValue: text) { return kind.rawValue }
    let known = ClientKind.allCases.map(\.rawValue).joined(separator: ", ")
    throw Refusal(.invalidField, field: clientHeader, "it must be one of: \(known)")
  }
}
