/// Names the kind of a device in the list of devices.
public enum DeviceKind {
  /// The words that occur in the header field `User-Agent`, and the names that people know. The
  /// order matters, because the field of an Android device also contains "Linux", and the field of
  /// an iPad also contains "Macintosh".
  private static let words = [
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "Chromebook"),
    ("Windows", "Windows"), ("Macintosh", "Mac"), ("Linux", "Linux"),
  ]

  /// - Parameter userAgent: the value of the header field; nil if the browser did not send the
  ///   field.
  public static func name(userAgent: String?) -> String {
    words.first { userAgent?.contains($0.0) ?? false }?.1 ?? "browser"
  }
}
