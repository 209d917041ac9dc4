/// Names the kind of a device in the list of devices.
public enum DeviceKind {
  /// The words in the header field `User-Agent`, and the name that people know. The order matters:
  /// Android also says Linux, and iPads also say Macintosh.
  private static let words = [
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "Chromebook"),
    ("Windows", "Windows"), ("Macintosh", "Mac"), ("Linux", "Linux"),
  ]

  /// - Parameter userAgent: the header field; nil if the browser sent none.
  public static func name(userAgent: String?) -> String {
    words.first { userAgent?.contains($0.0) ?? false }?.1 ?? "browser"
  }
}
