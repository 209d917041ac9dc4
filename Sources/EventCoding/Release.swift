/// The release of the daemon, the command line, the package and the API.
public enum Release {
  public static let version = "0.1.0"
}
