/// The version of all programs, the package and the API.
public enum Release {
  public static let version = "0.2.0"
}
