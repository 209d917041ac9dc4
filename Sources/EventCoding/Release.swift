/// Which release this is: the daemon's, the command line's, the package's and the API's, said once.
public enum Release {
  public static let version = "0.1.0"
}
