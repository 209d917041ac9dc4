import Alarms

extension APIRequest {
  /// The name of the header field that contains the kind of the client program.
  public static let clientHeader = "Prompter-Client"

  /// Returns the kind of the client program from the header fields of a request. The keys of
  /// `headers` are in lower case.
  ///
  /// - Throws: a refusal if the header field contains an unknown kind of program.
  public static func source(_ headers: [String: String]) throws(Refusal) -> String {
    guard let text = headers[clientHeader.lowercased()] else { return ClientKind.unnamed }
    if let kind = ClientKind(rawValue: text) { return kind.rawValue }
    let known = ClientKind.allCases.map(\.rawValue).joined(separator: ", ")
    throw Refusal(.invalidField, field: clientHeader, "it must be one of: \(known)")
  }
}
