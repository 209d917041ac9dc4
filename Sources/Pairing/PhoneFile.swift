import CaretakerPages

/// A file that the pages for phones need and that contains no data of the home, for example a
/// script or an icon.
public enum PhoneFile: Sendable, Hashable {
  case caretaker(CaretakerFile)
  case own(Own)

  /// A file that only the pages for phones need.
  public enum Own: String, Sendable, CaseIterable {
    /// The script of the page on which a person types the code.
    case pair = "pair.js"
    /// The file that a phone needs to add the pages to its home screen (W3C Web Application
    /// Manifest).
    case manifest = "manifest.json"
    case smallIcon = "icon-180.png"
    case largeIcon = "icon-512.png"
  }

  /// Finds a file by its name. The result is nil if no file has this name.
  ///
  /// - Parameter name: the path in the request, without the slash at its beginning.
  init?(name: String) {
    if let own = Own(rawValue: name) {
      self = .own(own)
    } else if let file = CaretakerFile(rawValue: name) {
      self = .caretaker(file)
    } else {
      return nil
    }
  }

  public var bytes: [UInt8] {
    switch self {
    case .caretaker(let file): file.bytes
    case .own(.pair): PackageResources.pair_js
    case .own(.manifest): PackageResources.manifest_json
    case .own(.smallIcon): PackageResources.icon_180_png
    case .own(.largeIcon): PackageResources.icon_512_png
    }
  }

  public var contentType: String {
    switch self {
    case .caretaker(let file): file.contentType
    case .own(.pair): "text/javascript; charset=utf-8"
    case .own(.manifest): "application/manifest+json"
    case .own(.smallIcon), .own(.largeIcon): "image/png"
    }
  }
}
