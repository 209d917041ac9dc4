/// Finds the kind of a device, for example "iPhone", so that a person can recognise the device in a
/// list.
public enum DeviceKind {
  /// Pairs of two texts: a word in the header field `User-Agent`, and the name of the kind of
  /// device. The first pair whose word is in the field decides. Therefore the order is important:
  /// the field of an Android device also contains "Linux", and the field of an iPad can also
  /// contain "Macintosh".
  private static let words = [
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "Chromebook"),
    ("Windows", "Windows"), ("Macintosh", "Mac"), ("Linux", "Linux"),
  ]

  /// Returns the name of the kind of device; `browser` if the kind is unknown.
  ///
  /// - Parameter userAgent: the value of the header field `User-Agent`; nil if the browser did not
  ///   send this field.
  public static func name(userAgent: String?) -> String {
    words.first { userAgent?.contains($0.0) ?? false }?.1 ?? "browser"
  }
}
