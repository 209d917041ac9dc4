import CaretakerPages

/// A file of the pages for phones that contains no data of the home.
public enum PhoneFile: Sendable, Hashable {
  case caretaker(CaretakerFile)
  /// The module of the page for the code.
  case pair

  /// - Parameter name: the path without its first slash.
  init?(name: String) {
    if name == "pair.js" {
      self = .pair
    } else if let file = CaretakerFile(rawValue: name) {
      self = .caretaker(file)
    } else {
      return nil
    }
  }

  public var bytes: [UInt8] {
    switch self {
    case .caretaker(let file): file.bytes
    case .pair: PackageResources.pair_js
    }
  }

  public var contentType: String {
    switch self {
    case .caretaker(let file): file.contentType
    case .pair: "text/javascript; charset=utf-8"
    }
  }
}
